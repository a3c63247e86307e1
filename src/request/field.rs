//! The field lines, RFC 9112 section 5, and what they say about framing and
//! persistence, gathered in the same pass.

use super::{Field, Reason, Span, MOST_FIELDS};

/// The characters of a token, RFC 9110 section 5.6.2.
const TOKEN: [bool; 256] = {
    let marks = b"!#$%&'*+-.^_`|~";
    let mut table = [false; 256];
    let mut place = 0;
    while place < marks.len() {
        table[marks[place] as usize] = true;
        place += 1;
    }
    let mut byte = 0;
    while byte < 0x80 {
        table[byte] |= (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    table
};

/// How the body is framed, RFC 9112 section 6.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Framing {
    /// Neither a length nor a coding is given.
    None,
    /// `Content-Length` in bytes.
    Length(u64),
    /// `Transfer-Encoding: chunked`.
    Chunked,
}

/// The `Connection` field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Connection {
    Absent,
    KeepAlive,
    Close,
}

/// What the fields say beyond their text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    /// How the body is framed.
    pub framing: Framing,
    connection: Connection,
}

/// The greatest length that Node's numbers hold exactly, `Number.MAX_SAFE_INTEGER`.
const MOST_OCTETS: u64 = (1 << 53) - 1;

/// So many decimal digits fit in `u64`, and [`MOST_OCTETS`] has no more.
const MOST_DIGITS: usize = 16;

impl Facts {
    /// Whether the connection persists: HTTP/1.1 does so unless told otherwise, RFC
    /// 9112 section 9.3.
    pub fn persists(self) -> bool {
        self.connection != Connection::Close
    }

    /// Takes in a field. `value` still has the SP and HTAB at its end: llhttp
    /// releases disagree on these behind the values that they interpret, so that
    /// such a value counts as uncommon.
    #[inline]
    fn observe(&mut self, name: &[u8], value: &[u8]) -> Result<(), Reason> {
        match name.len() {
            6 if name.eq_ignore_ascii_case(b"expect") => Err(Reason::Expect),
            7 if name.eq_ignore_ascii_case(b"upgrade") => Err(Reason::Upgrade),
            10 if name.eq_ignore_ascii_case(b"connection") => self.observe_connection(value),
            14 if name.eq_ignore_ascii_case(b"content-length") => {
                self.observe_framing(decimal(value).map(Framing::Length))
            }
            16 if name.eq_ignore_ascii_case(b"proxy-connection") => Err(Reason::Connection),
            17 if name.eq_ignore_ascii_case(b"transfer-encoding") => {
                let chunked = value.eq_ignore_ascii_case(b"chunked");
                self.observe_framing(chunked.then_some(Framing::Chunked))
            }
            _ => Ok(()),
        }
    }

    fn observe_connection(&mut self, value: &[u8]) -> Result<(), Reason> {
        if self.connection != Connection::Absent {
            return Err(Reason::Connection);
        }
        self.connection = if value.eq_ignore_ascii_case(b"keep-alive") {
            Connection::KeepAlive
        } else if value.eq_ignore_ascii_case(b"close") {
            Connection::Close
        } else {
            return Err(Reason::Connection);
        };
        Ok(())
    }

    /// RFC 9112 sections 6.1 and 6.3: repeated or together, length and coding are
    /// the shapes of request smuggling.
    fn observe_framing(&mut self, given: Option<Framing>) -> Result<(), Reason> {
        match (self.framing, given) {
            (Framing::None, Some(framing)) => {
                self.framing = framing;
                Ok(())
            }
            _ => Err(Reason::Framing),
        }
    }
}

/// `1*DIGIT` of RFC 9110 section 8.6, up to [`MOST_OCTETS`].
fn decimal(value: &[u8]) -> Option<u64> {
    if value.is_empty() || value.len() > MOST_DIGITS {
        return None;
    }
    let number = value.iter().try_fold(0u64, |number, &byte| {
        let digit = byte.wrapping_sub(b'0');
        (digit <= 9).then_some(number * 10 + u64::from(digit))
    })?;
    (number <= MOST_OCTETS).then_some(number)
}

/// Parses the field lines at `at` and the empty line behind them; the offset is
/// that behind the head.
pub(super) fn parse(
    input: &[u8],
    mut at: usize,
    fields: &mut Vec<Field>,
) -> Result<(Facts, usize), Reason> {
    let mut facts = Facts {
        framing: Framing::None,
        connection: Connection::Absent,
    };
    loop {
        if input.get(at) == Some(&b'\r') {
            return Ok((facts, line_feed(input, at + 1)?));
        }
        // An empty name is no name, and a folded line (RFC 9112 section 5.2) starts
        // with none.
        let name = Span::new(at, at + token(input, at)?);
        let mut start = name.end as usize + 1;
        while let Some(b' ' | b'\t') = input.get(start) {
            start += 1;
        }
        let end = end_of_value(input, start)?;
        at = line_feed(input, end + 1)?;

        let value = input.get(start..end).unwrap_or_default();
        facts.observe(name.of(input), value)?;
        if fields.len() == MOST_FIELDS {
            return Err(Reason::Large);
        }
        let padding = value.iter().rev().take_while(|byte| is_space(byte)).count();
        fields.push(Field {
            name,
            value: Span::new(start, end - padding),
        });
    }
}

fn is_space(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// The length of the field name at `at`, a token that a colon follows at once
/// (RFC 9112 section 5.1).
#[inline]
fn token(input: &[u8], at: usize) -> Result<usize, Reason> {
    let rest = input.get(at..).unwrap_or_default();
    match rest.iter().position(|&byte| !TOKEN[byte as usize]) {
        Some(length) if length > 0 && rest.get(length) == Some(&b':') => Ok(length),
        Some(_) => Err(Reason::Field),
        None => Err(Reason::Partial),
    }
}

/// The offset of the CR that ends the field value at `at`, RFC 9110 section 5.5.
#[inline]
fn end_of_value(input: &[u8], mut at: usize) -> Result<usize, Reason> {
    loop {
        at += printable(input.get(at..).unwrap_or_default());
        match input.get(at) {
            Some(b'\t') => at += 1,
            Some(b'\r') => return Ok(at),
            Some(_) => return Err(Reason::Field),
            None => return Err(Reason::Partial),
        }
    }
}

/// How many bytes at the start of `bytes` are no control characters, eight at a
/// time.
#[inline]
fn printable(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::MAX / 0xff;
    const HIGH: u64 = ONES << 7;
    let (blocks, tail) = bytes.as_chunks::<8>();
    for (place, block) in blocks.iter().enumerate() {
        // A borrow may mark bytes above a marked one, never one below it, so that
        // the lowest mark is exact.
        let block = u64::from_le_bytes(*block);
        let low = block.wrapping_sub(ONES * 0x20) & !block;
        let del = block ^ (ONES * 0x7f);
        let del = del.wrapping_sub(ONES) & !del;
        let marks = (low | del) & HIGH;
        if marks != 0 {
            return place * 8 + marks.trailing_zeros() as usize / 8;
        }
    }
    let whole = bytes.len() - tail.len();
    let is_control = |byte: &u8| *byte < 0x20 || *byte == 0x7f;
    whole + tail.iter().position(is_control).unwrap_or(tail.len())
}

/// The offset behind the LF at `at`. A bare CR ends no line, RFC 9112 section 2.2.
#[inline]
fn line_feed(input: &[u8], at: usize) -> Result<usize, Reason> {
    match input.get(at) {
        Some(b'\n') => Ok(at + 1),
        Some(_) => Err(Reason::Field),
        None => Err(Reason::Partial),
    }
}
