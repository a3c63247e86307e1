//! How a message is framed, RFC 9112 section 6, decided once by [`decide`] from
//! the facts that [`Facts::observe`] gathers in one pass over the fields. Both
//! mirror Node's `_storeHeader` and `matchHeader`.

use super::field::Fields;
use super::head::{Connection, Length};

/// What the given fields say about framing and persistence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// A `Connection` field is given.
    pub connection: bool,
    /// A `Keep-Alive` field is given.
    pub keep_alive: bool,
    /// A `Date` field is given.
    pub date: bool,
    /// A `Trailer` field is given.
    pub trailer: bool,
    /// A `Transfer-Encoding` field is given.
    pub transfer_coding: bool,
    /// A `Transfer-Encoding` field names the chunked coding.
    pub chunked: bool,
    /// The `Content-Length` fields, if any is given.
    pub content_length: Option<ContentLength>,
}

/// The given `Content-Length` fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentLength {
    /// All of them are this number.
    Octets(u64),
    /// One of them is no number, or they disagree.
    Contradiction,
}

impl Facts {
    /// Reads the facts off `fields`.
    pub fn observe(fields: Fields<'_>) -> Self {
        let mut facts = Self::default();
        for (name, value) in fields {
            match name.len() {
                4 if name.eq_ignore_ascii_case(b"date") => facts.date = true,
                7 if name.eq_ignore_ascii_case(b"trailer") => facts.trailer = true,
                10 if name.eq_ignore_ascii_case(b"connection") => facts.connection = true,
                10 if name.eq_ignore_ascii_case(b"keep-alive") => facts.keep_alive = true,
                14 if name.eq_ignore_ascii_case(b"content-length") => {
                    let octets =
                        decimal(value).map_or(ContentLength::Contradiction, ContentLength::Octets);
                    facts.content_length = match facts.content_length {
                        Some(earlier) if earlier != octets => Some(ContentLength::Contradiction),
                        _ => Some(octets),
                    };
                }
                17 if name.eq_ignore_ascii_case(b"transfer-encoding") => {
                    facts.transfer_coding = true;
                    facts.chunked |= names_chunked(value);
                }
                _ => {}
            }
        }
        facts
    }
}

/// `1*DIGIT` of RFC 9110 section 8.6, within `u64`.
fn decimal(value: &[u8]) -> Option<u64> {
    if value.is_empty() {
        return None;
    }
    value.iter().try_fold(0u64, |number, &byte| {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        number.checked_mul(10)?.checked_add(u64::from(digit))
    })
}

/// Whether `chunked` stands in `value` as a word, in any casing; Node's
/// `chunkExpression`. Parameters (`chunked;foo=bar`) do not hide it.
fn names_chunked(value: &[u8]) -> bool {
    const WORD: &[u8] = b"chunked";
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    (0..value.len()).any(|start| {
        value
            .get(start..)
            .and_then(|rest| rest.split_at_checked(WORD.len()))
            .is_some_and(|(word, after)| {
                word.eq_ignore_ascii_case(WORD)
                    && !value[..start].last().is_some_and(is_word)
                    && !after.first().is_some_and(is_word)
            })
    })
}

/// What the caller asks for beside the fields.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// Status code, 100 to 999.
    pub status: u16,
    /// Length of the given body in bytes.
    pub body: u64,
    /// The response answers HEAD: it describes a body and carries none.
    pub omit_body: bool,
    /// Persistence when no `Connection` field is given.
    pub connection: Connection,
}

/// A message that must not be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// `Content-Length` beside `Transfer-Encoding`: the shape of request
    /// smuggling, RFC 9112 section 6.1.
    LengthAndCoding,
    /// `Content-Length` disagrees with the body.
    LengthMismatch,
    /// `Trailer` in a message without chunked coding, which has no trailer
    /// section (RFC 9110 section 6.5.1).
    TrailerWithoutChunked,
}

/// The framing of one message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The connection fields to add.
    pub connection: Connection,
    /// The length or coding field to add.
    pub length: Length,
    /// Whether a `Date` field may be added: none is given.
    pub date: bool,
    /// Whether the body goes out.
    pub body: bool,
    /// Whether the body goes out in chunked coding.
    pub chunked: bool,
}

/// Decides the framing of one message.
pub fn decide(facts: Facts, request: &Request) -> Result<Decision, Refusal> {
    let status = request.status;
    // RFC 9110 sections 15.2, 15.3.5 and 15.4.5: these never have content.
    let no_content = status < 200 || status == 204 || status == 304;
    let body = !no_content && !request.omit_body;

    if let Some(given) = facts.content_length {
        if facts.transfer_coding {
            return Err(Refusal::LengthAndCoding);
        }
        // RFC 9110 section 8.6: answering HEAD, and in a 304, the length is
        // that of the content which is not sent.
        let describes_absent = request.omit_body || status == 304;
        let sent = if body { request.body } else { 0 };
        if !describes_absent && given != ContentLength::Octets(sent) {
            return Err(Refusal::LengthMismatch);
        }
    }

    // A chunked 204 or 304 has no last chunk to find its end by, so Node
    // closes the connection behind it.
    let closes = facts.chunked && (status == 204 || status == 304);
    let mut chunked = facts.chunked && !closes;

    let connection = match request.connection {
        _ if facts.connection => Connection::Absent,
        _ if closes => Connection::Close,
        Connection::KeepAlive { .. } if facts.keep_alive => Connection::KeepAlive {
            timeout: None,
            max: None,
        },
        asked => asked,
    };

    let mut length = Length::Absent;
    if facts.content_length.is_none() && !facts.transfer_coding {
        if !body {
            chunked = false;
        } else if facts.trailer {
            length = Length::Chunked;
            chunked = true;
        } else {
            length = Length::Octets(request.body);
        }
    }

    if facts.trailer && !chunked {
        return Err(Refusal::TrailerWithoutChunked);
    }
    Ok(Decision {
        connection,
        length,
        date: !facts.date,
        body,
        chunked: chunked && body,
    })
}
