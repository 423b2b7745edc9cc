//! Changes that make a valid input an odd one.

use mercer::data::Random;

/// Pieces that readers have a meaning for, or should refuse.
const PIECES: [&str; 48] = [
    "1e308",
    "-1e308",
    "1e-320",
    "1e999",
    "nan",
    "NaN",
    "inf",
    "-inf",
    "0",
    "-0",
    "4294967295",
    "4294967296",
    "2147483648",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999999999",
    "0x1F",
    "1_000",
    "+5",
    ".",
    "e",
    "\"",
    "\"\"",
    "'",
    "\n",
    "\r\n",
    "\r",
    "\t",
    ",",
    ";",
    ":",
    " ",
    "#",
    "<",
    "/>",
    "&amp;",
    "&#0;",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "=",
    "\u{feff}",
    "ä",
    "\0",
    "null",
];

/// A few changes of an input, or of two that are joined.
pub fn mutated(random: &mut Random, corpus: &[Vec<u8>]) -> Vec<u8> {
    let mut input = corpus[random.below(corpus.len())].clone();
    for _ in 0..1 + random.below(4) {
        change(random, &mut input, corpus);
    }
    input.truncate(1 << 16);
    input
}

fn change(random: &mut Random, input: &mut Vec<u8>, corpus: &[Vec<u8>]) {
    let at = random.below(input.len() + 1);
    let length = match random.below(3) {
        0 => random.below(4) + 1,
        1 => random.below(40) + 1,
        _ => random.below(input.len() + 1),
    };
    let end = (at + length).min(input.len());
    match random.below(11) {
        0 if at < input.len() => input[at] ^= 1 << random.below(8),
        1 => input.insert(at, random.below(256) as u8),
        2 => drop(input.drain(at..end)),
        3 => {
            let part = input[at..end].to_vec();
            let times = 1 + random.below(5);
            input.splice(end..end, part.repeat(times));
        }
        4 => {
            let other = &corpus[random.below(corpus.len())];
            let from = random.below(other.len() + 1);
            input.splice(at..end, other[from..].iter().copied());
        }
        5 => {
            // Deep where things can be nested.
            let piece = PIECES[random.below(PIECES.len())];
            let times = [2, 30, 3000][random.below(3)];
            input.splice(at..at, piece.repeat(times).into_bytes());
        }
        6 => {
            // A number becomes another one.
            let digit = |b: &u8| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'e');
            if let Some(start) = input[at..].iter().position(digit).map(|shift| at + shift) {
                let end =
                    input[start..].iter().position(|b| !digit(b)).map_or(input.len(), |shift| start + shift);
                let piece = PIECES[random.below(24)];
                input.splice(start..end, piece.bytes());
            }
        }
        7 => input.truncate(at),
        8 => {
            // Lines in another order.
            let mut lines: Vec<Vec<u8>> =
                input.split_inclusive(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
            if lines.len() > 1 {
                let (a, b) = (random.below(lines.len()), random.below(lines.len()));
                lines.swap(a, b);
            }
            *input = lines.concat();
        }
        _ => {
            let piece = PIECES[random.below(PIECES.len())];
            input.splice(at..at, piece.bytes());
        }
    }
}
