//! Expressions as text, with the fewest parentheses that parse back to an equal value.

use std::fmt::{Display, Formatter, Result};

use crate::kernel::Expression;

/// A number in its shortest spelling that reads back to the same bits: `1`, `0.1`, `1e-7`.
pub(crate) struct Number(pub(crate) f64);

impl Display for Number {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let text = format!("{:?}", self.0);
        f.write_str(text.strip_suffix(".0").unwrap_or(&text))
    }
}

/// `[a, b, c]`
pub(crate) fn list<T: Display>(items: impl Iterator<Item = T>) -> String {
    let items: Vec<String> = items.map(|item| item.to_string()).collect();
    format!("[{}]", items.join(", "))
}

/// `name(a=1, b=2)`, or `name` without arguments; an argument without a name stands as it is.
pub(crate) fn write_call(f: &mut Formatter<'_>, name: &str, arguments: &[(&str, String)]) -> Result {
    f.write_str(name)?;
    if arguments.is_empty() {
        return Ok(());
    }
    let argument = |(name, value): &(&str, String)| match *name {
        "" => value.clone(),
        name => format!("{name}={value}"),
    };
    let arguments: Vec<String> = arguments.iter().map(argument).collect();
    write!(f, "({})", arguments.join(", "))
}

/// How tightly an expression holds together; an operand that holds less tightly than its place asks for is
/// put in parentheses.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Binding {
    Sum,
    Scale,
    Product,
    Power,
    Primary,
}

fn binding(kernel: &Expression) -> Binding {
    match kernel {
        Expression::Sum(_) => Binding::Sum,
        Expression::Scale(_) => Binding::Scale,
        Expression::Product(_) => Binding::Product,
        Expression::Power(_) => Binding::Power,
        _ => Binding::Primary,
    }
}

fn operand(f: &mut Formatter<'_>, kernel: &Expression, least: Binding) -> Result {
    if binding(kernel) >= least { write!(f, "{kernel}") } else { write!(f, "({kernel})") }
}

impl Display for Expression {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Expression::Anova(k) => write!(f, "{k}"),
            Expression::Constant(k) => write!(f, "constant({})", Number(k.value())),
            Expression::White(k) => write!(f, "white({})", Number(k.noise())),
            Expression::Sum(k) => {
                for (i, term) in k.terms().iter().enumerate() {
                    match term {
                        Expression::Scale(scale) if i > 0 && scale.factor().is_sign_negative() => {
                            write!(f, " - {} * ", Number(-scale.factor()))?;
                            operand(f, scale.kernel(), Binding::Product)?;
                        }
                        term => {
                            f.write_str(if i > 0 { " + " } else { "" })?;
                            operand(f, term, Binding::Scale)?;
                        }
                    }
                }
                Ok(())
            }
            Expression::Product(k) => {
                for (i, factor) in k.factors().iter().enumerate() {
                    f.write_str(if i > 0 { " * " } else { "" })?;
                    operand(f, factor, Binding::Power)?;
                }
                Ok(())
            }
            Expression::Scale(k) => {
                write!(f, "{} * ", Number(k.factor()))?;
                operand(f, k.kernel(), Binding::Product)
            }
            Expression::Power(k) => {
                operand(f, k.kernel(), Binding::Primary)?;
                write!(f, " ^ {}", k.exponent())
            }
            Expression::Normalise(k) => write!(f, "normalise({})", k.kernel()),
            Expression::Centre(k) => write!(f, "centre({})", k.kernel()),
            Expression::Columns(k) => write!(f, "columns({}, {})", k.selection(), k.kernel()),
            kernel => match kernel.as_vector_kernel() {
                Some(base) => write!(f, "{base}"),
                None => Ok(()),
            },
        }
    }
}
