//! One JSON object as an example. Its numbers become rows at once, so that a line takes a bounded multiple of its length.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};

/// The members of an object by name.
pub type Object = BTreeMap<String, Field>;

/// What a member is, as far as examples need it.
#[derive(Debug, PartialEq)]
pub enum Field {
    Null,
    Bool(bool),
    /// As a number, and as it is written in a label.
    Number(f64, String),
    Text(String),
    List(Vec<Option<f64>>),
    Object,
}

impl Field {
    /// The field in an error message.
    pub fn shown(&self) -> String {
        match self {
            Field::Null => "null".into(),
            Field::Bool(value) => value.to_string(),
            Field::Number(_, text) => text.clone(),
            Field::Text(text) => format!("{text:?}"),
            Field::List(_) => "a list".into(),
            Field::Object => "an object".into(),
        }
    }
}

/// Reads a line; what is wrong with it comes with its place in the line, from 0.
pub fn read(text: &str) -> Result<Object, (usize, String)> {
    serde_json::from_str(text).map_err(|problem| {
        let words = problem.to_string();
        // Where it is stands before it.
        let words = words.rsplit_once(" at line ").map_or(words.as_str(), |(words, _)| words);
        (problem.column().saturating_sub(1), format!("no JSON object: {words}"))
    })
}

impl<'de> Deserialize<'de> for Field {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Fields)
    }
}

struct Fields;

impl<'de> Visitor<'de> for Fields {
    type Value = Field;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Field, E> {
        Ok(Field::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Field, E> {
        Ok(Field::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Field, E> {
        Ok(Field::Number(value as f64, value.to_string()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Field, E> {
        Ok(Field::Number(value as f64, value.to_string()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Field, E> {
        // Written as serde_json writes it, with a point: labels are known by it.
        Ok(Field::Number(value, serde_json::Value::from(value).to_string()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Field, E> {
        Ok(Field::Text(value.to_string()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Field, A::Error> {
        let mut values = Vec::new();
        while let Some(Element(value)) = list.next_element()? {
            values.push(value);
        }
        Ok(Field::List(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Field, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Field::Object)
    }
}

/// An element of a list, which should be a number.
struct Element(Option<f64>);

impl<'de> Deserialize<'de> for Element {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Elements;
        impl<'de> Visitor<'de> for Elements {
            type Value = Element;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a value")
            }

            fn visit_unit<E>(self) -> Result<Element, E> {
                Ok(Element(None))
            }

            fn visit_bool<E>(self, _: bool) -> Result<Element, E> {
                Ok(Element(None))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Element, E> {
                Ok(Element(Some(value as f64)))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Element, E> {
                Ok(Element(Some(value as f64)))
            }

            fn visit_f64<E>(self, value: f64) -> Result<Element, E> {
                Ok(Element(Some(value)))
            }

            fn visit_str<E>(self, _: &str) -> Result<Element, E> {
                Ok(Element(None))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Element, A::Error> {
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Element(None))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Element, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Element(None))
            }
        }
        deserializer.deserialize_any(Elements)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_what_they_are() {
        let text = r#"{"a": 1, "b": -2.50, "c": "w", "d": [1, 2.5, "x", [[3]], {"k": 1}, null], "e": {"f": [1]}, "g": null, "h": true, "i": 1e3}"#;
        let object = read(text).unwrap();
        assert_eq!(object["a"], Field::Number(1.0, "1".into()));
        assert_eq!(object["b"], Field::Number(-2.5, "-2.5".into()));
        assert_eq!(object["c"], Field::Text("w".into()));
        assert_eq!(object["d"], Field::List(vec![Some(1.0), Some(2.5), None, None, None, None]));
        assert_eq!(
            (&object["e"], &object["g"], &object["h"]),
            (&Field::Object, &Field::Null, &Field::Bool(true))
        );
        assert_eq!(object["i"], Field::Number(1000.0, "1000.0".into()));
        for (text, column) in [("{\"a\": 1", 6), ("[1]", 0), ("{} x", 3), ("{\"a\": 1e999}", 10)] {
            let (at, problem) = read(text).unwrap_err();
            assert!(
                problem.starts_with("no JSON object: ") && at.abs_diff(column) <= 2,
                "{text}: {at} {problem}"
            );
        }
        // As deep as the reader goes, and no further.
        assert!(read(&format!("{{\"a\": {}", "[".repeat(100_000))).is_err());
    }
}
