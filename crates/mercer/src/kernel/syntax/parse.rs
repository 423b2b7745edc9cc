//! The grammar of expressions, by recursive descent.

use crate::error::{Error, Result};
use crate::kernel::syntax::arguments::{Argument, Value};
use crate::kernel::syntax::lex::{Kind, Token, problem, tokens};
use crate::kernel::syntax::tree::{Part, Written};

/// Parentheses within parentheses that are read, so that hostile text cannot exhaust the stack.
const DEEPEST: usize = 64;

/// Longest text that is read, in bytes: room for thousands of length scales, none for floods.
const LONGEST: usize = 1 << 20;

/// The parts of an expression; [`Error::Expression`] says at which character it could not be understood.
pub(crate) fn parse(text: &str) -> Result<Written> {
    if text.len() > LONGEST {
        return problem(LONGEST, format!("longer than {LONGEST} bytes"));
    }
    let mut parser = Parser { tokens: tokens(text)?, at: 0, depth: 0 };
    let written = parser.expression()?;
    match &parser.peek().kind {
        Kind::End => Ok(written),
        other => parser.refuse(format!("expected \"+\", \"-\", \"*\", \"^\" or the end, found {other}")),
    }
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

/// An operand of `*`: a kernel or a number.
enum Factor {
    Kernel(Written),
    Number(f64),
}

impl Parser {
    /// term { ("+" | "-") term }
    fn expression(&mut self) -> Result<Written> {
        let position = self.peek().position;
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.refuse(format!("nested more than {DEEPEST} deep"));
        }
        let mut terms = vec![self.term(false)?];
        loop {
            if self.take('+') {
                terms.push(self.term(false)?);
            } else if self.take('-') {
                terms.push(self.term(true)?);
            } else {
                break;
            }
        }
        self.depth -= 1;
        Ok(match terms.len() {
            1 => terms.remove(0),
            _ => Written { position, part: Part::Sum(terms) },
        })
    }

    /// power { "*" power }; all numbers together become one factor in front.
    fn term(&mut self, negative: bool) -> Result<Written> {
        let position = self.peek().position;
        let mut factor: Option<f64> = None;
        let mut kernels = Vec::new();
        loop {
            match self.power()? {
                Factor::Kernel(kernel) => kernels.push(kernel),
                Factor::Number(number) => factor = Some(factor.map_or(number, |f| f * number)),
            }
            if !self.take('*') {
                break;
            }
        }
        if negative {
            factor = Some(factor.map_or(-1.0, |f| -f));
        }
        if factor.is_some_and(|f| !f.is_finite()) {
            return problem(position, "the factors are too large for a number");
        }
        let kernel = match kernels.len() {
            0 => return Ok(Written { position, part: Part::Constant(factor.unwrap_or(1.0)) }),
            1 => kernels.remove(0),
            _ => Written { position, part: Part::Product(kernels) },
        };
        Ok(match factor {
            Some(factor) => Written { position, part: Part::Scale(factor, Box::new(kernel)) },
            None => kernel,
        })
    }

    /// primary [ "^" whole number ]
    fn power(&mut self) -> Result<Factor> {
        let primary = self.primary()?;
        if !self.take('^') {
            return Ok(primary);
        }
        let Factor::Kernel(kernel) = primary else {
            return self.refuse("a number has no power here: write its value");
        };
        let exponent = self.whole_number("an exponent")?;
        let Ok(exponent) = u32::try_from(exponent) else {
            return self.refuse_last(format!("the exponent {exponent} is too large"));
        };
        if self.peek().kind == Kind::Symbol('^') {
            return self.refuse("a power of a power needs parentheses");
        }
        let position = kernel.position;
        Ok(Factor::Kernel(Written { position, part: Part::Power(Box::new(kernel), exponent) }))
    }

    /// number | "(" expression ")" | name [ "(" arguments ")" ]
    fn primary(&mut self) -> Result<Factor> {
        let token = self.next();
        match token.kind {
            Kind::Number(value, _) => Ok(Factor::Number(value)),
            Kind::Symbol('-') => match self.next().kind {
                Kind::Number(value, _) => Ok(Factor::Number(-value)),
                _ => self.refuse_last("expected a number after \"-\" (for minus a kernel write -1 * …)"),
            },
            Kind::Symbol('(') => {
                let kernel = self.expression()?;
                self.expect(')')?;
                Ok(Factor::Kernel(kernel))
            }
            Kind::Name(name) => {
                let given = if self.take('(') { self.arguments()? } else { Vec::new() };
                Ok(Factor::Kernel(Written { position: token.position, part: Part::Call(name, given) }))
            }
            other => problem(token.position, format!("expected a kernel or a number, found {other}")),
        }
    }

    /// [ argument { "," argument } ] ")"
    fn arguments(&mut self) -> Result<Vec<Argument>> {
        let mut arguments = Vec::new();
        if self.take(')') {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.argument()?);
            if self.take(')') {
                return Ok(arguments);
            }
            if !self.take(',') {
                let found = &self.peek().kind;
                return self.refuse(format!("expected \",\" or \")\", found {found}"));
            }
        }
    }

    /// [ name "=" ] value
    fn argument(&mut self) -> Result<Argument> {
        let position = self.peek().position;
        let name = match (&self.peek().kind, self.tokens.get(self.at + 1).map(|t| &t.kind)) {
            (Kind::Name(name), Some(Kind::Symbol('='))) => Some(name.clone()),
            _ => None,
        };
        if name.is_some() {
            self.at += 2;
        }
        Ok(Argument {
            position,
            value_position: self.peek().position,
            value: self.value(name.is_some())?,
            name,
        })
    }

    /// A number, a range, a list, a word, text in quotes, or (without a name before it) an expression.
    fn value(&mut self, named: bool) -> Result<Value> {
        match (&self.peek().kind, self.tokens.get(self.at + 1).map(|t| &t.kind)) {
            (Kind::Symbol('['), _) => {
                self.at += 1;
                self.list()
            }
            (Kind::Number(..), Some(Kind::Symbol(':'))) => {
                let start = self.whole_number("a column")?;
                self.at += 1;
                let end = self.whole_number("a column")?;
                Ok(Value::Range(start, end))
            }
            (Kind::Number(..) | Kind::Symbol('-'), Some(next)) if named || ends_value(next, self, 1) => {
                let (value, text) = self.signed_number()?;
                Ok(Value::Number(value, text))
            }
            (Kind::Name(word), _) if named => {
                let word = word.clone();
                self.at += 1;
                Ok(Value::Word(word))
            }
            (Kind::Text(text), _) => {
                let text = text.clone();
                self.at += 1;
                Ok(Value::Text(text))
            }
            (found, _) if named => {
                let found = found.to_string();
                self.refuse(format!("expected a value, found {found}"))
            }
            _ => self.expression().map(Value::Kernel),
        }
    }

    /// number { "," number } "]"
    fn list(&mut self) -> Result<Value> {
        let mut numbers = Vec::new();
        loop {
            numbers.push(self.signed_number()?);
            if self.take(']') {
                return Ok(Value::List(numbers));
            }
            if !self.take(',') {
                let found = &self.peek().kind;
                return self.refuse(format!("expected \",\" or \"]\", found {found}"));
            }
        }
    }

    fn signed_number(&mut self) -> Result<(f64, String)> {
        let negative = self.take('-');
        match self.next().kind {
            Kind::Number(value, text) if negative => Ok((-value, format!("-{text}"))),
            Kind::Number(value, text) => Ok((value, text)),
            other => self.refuse_last(format!("expected a number, found {other}")),
        }
    }

    fn whole_number(&mut self, what: &str) -> Result<usize> {
        match self.next().kind {
            Kind::Number(_, text) if text.bytes().all(|b| b.is_ascii_digit()) => match text.parse() {
                Ok(value) => Ok(value),
                Err(_) => self.refuse_last(format!("{text} is too large for {what}")),
            },
            other => self.refuse_last(format!("expected {what} (a whole number), found {other}")),
        }
    }

    fn peek(&self) -> &Token {
        // The last token is the end, and nothing moves past it.
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.at += 1;
        token
    }

    fn take(&mut self, symbol: char) -> bool {
        let found = self.peek().kind == Kind::Symbol(symbol);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, symbol: char) -> Result<()> {
        if self.take(symbol) {
            return Ok(());
        }
        let found = &self.peek().kind;
        self.refuse(format!("expected {:?}, found {found}", symbol.to_string()))
    }

    /// A problem with the token that comes next.
    fn refuse<T>(&self, what: impl Into<String>) -> Result<T> {
        problem(self.peek().position, what)
    }

    /// A problem with the token that was just read.
    fn refuse_last<T>(&self, what: impl Into<String>) -> Result<T> {
        problem(self.tokens[(self.at - 1).min(self.tokens.len() - 1)].position, what)
    }
}

/// Whether the number at hand is a whole argument, and not the beginning of an expression such as `2 * k`.
fn ends_value(next: &Kind, parser: &Parser, ahead: usize) -> bool {
    match next {
        Kind::Symbol(',' | ')') => true,
        Kind::Number(..) => parser
            .tokens
            .get(parser.at + ahead + 1)
            .is_some_and(|token| matches!(token.kind, Kind::Symbol(',' | ')'))),
        _ => false,
    }
}

/// The place of the text added to an error of a constructor.
pub(crate) fn at<T>(position: usize, result: Result<T>) -> Result<T> {
    result.map_err(|error| match error {
        error @ Error::Expression { .. } => error,
        error => Error::Expression { position, problem: error.to_string() },
    })
}
