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

#[cfg(test)]
mod tests {
    use super::*;

    const LATER: Connection = Connection::KeepAlive {
        timeout: Some(5),
        max: Some(9),
    };
    const BARE: Connection = Connection::KeepAlive {
        timeout: None,
        max: None,
    };

    /// The facts of fields that are given as text.
    fn facts(fields: &[(&str, &str)]) -> Facts {
        let pieces = || fields.iter().flat_map(|(name, value)| [name, value]);
        let joined: String = pieces().copied().collect();
        let lengths: Vec<u32> = pieces().map(|piece| piece.len() as u32).collect();
        Facts::observe(Fields::new(joined.as_bytes(), &lengths).unwrap())
    }

    fn decided(
        status: u16,
        fields: &[(&str, &str)],
        body: u64,
        omit_body: bool,
    ) -> Result<Decision, Refusal> {
        let request = Request {
            status,
            body,
            omit_body,
            connection: LATER,
        };
        decide(facts(fields), &request)
    }

    /// A decision in short: the added length or coding, whether the body goes
    /// out, whether in chunks.
    fn framed(
        status: u16,
        fields: &[(&str, &str)],
        body: u64,
        omit_body: bool,
    ) -> Result<(Length, bool, bool), Refusal> {
        let decision = decided(status, fields, body, omit_body)?;
        Ok((decision.length, decision.body, decision.chunked))
    }

    #[test]
    fn a_length_is_added_where_there_is_content_and_no_framing() {
        // RFC 9112 section 6.2, RFC 9110 section 8.6: a server that knows the
        // length of the content sends it, also when it is 0.
        for body in [0, 1, u64::from(u32::MAX) + 1, u64::MAX] {
            for status in [200, 201, 404, 500, 205, 203, 303, 305, 999] {
                let expected = Ok((Length::Octets(body), true, false));
                assert_eq!(framed(status, &[], body, false), expected, "{status}");
            }
        }
    }

    #[test]
    fn no_content_no_body_and_no_length() {
        // RFC 9110 sections 15.2, 15.3.5 and 15.4.5; RFC 9112 section 6.3 item 1.
        for status in [100, 101, 150, 199, 204, 304] {
            for body in [0, 5] {
                let none = Ok((Length::Absent, false, false));
                assert_eq!(framed(status, &[], body, false), none, "{status}");
                assert_eq!(framed(status, &[], body, true), none, "{status}");
            }
        }
    }

    #[test]
    fn an_answer_to_head_has_no_body() {
        // RFC 9110 section 9.3.2, RFC 9112 section 6.3 item 1.
        let none = Ok((Length::Absent, false, false));
        for fields in [
            &[][..],
            &[("Content-Length", "7")],
            &[("Transfer-Encoding", "chunked")],
        ] {
            assert_eq!(framed(200, fields, 5, true), none, "{fields:?}");
        }
    }

    #[test]
    fn a_given_transfer_coding_frames_alone() {
        // RFC 9112 sections 6.1 and 7.1; a parameter does not hide the coding,
        // and the name is read in any casing.
        for (value, chunked) in [
            ("chunked", true),
            ("CHUNKED", true),
            ("gzip, chunked", true),
            ("chunked;foo=bar", true),
            ("chunked ", true),
            ("gzip", false),
            ("xchunked", false),
            ("chunked_", false),
            ("", false),
        ] {
            for name in ["Transfer-Encoding", "transfer-encoding"] {
                let expected = Ok((Length::Absent, true, chunked));
                assert_eq!(framed(200, &[(name, value)], 5, false), expected, "{value}");
                assert_eq!(framed(200, &[(name, value)], 0, false), expected, "{value}");
            }
        }
        let split = [
            ("Transfer-Encoding", "gzip"),
            ("Transfer-Encoding", "chunked"),
        ];
        assert_eq!(
            framed(200, &split, 5, false),
            Ok((Length::Absent, true, true))
        );
        // One that is spelt nearly so is none.
        let near = [("Transfer_Encoding", "chunked")];
        assert_eq!(
            framed(200, &near, 5, false),
            Ok((Length::Octets(5), true, false))
        );
    }

    #[test]
    fn length_beside_coding_is_refused() {
        // RFC 9112 section 6.1: the shape of request smuggling.
        for status in [200, 100, 204, 304] {
            for coding in ["chunked", "gzip", ""] {
                for omit_body in [true, false] {
                    let fields = [("content-length", "5"), ("Transfer-Encoding", coding)];
                    let refused = Err(Refusal::LengthAndCoding);
                    assert_eq!(framed(status, &fields, 5, omit_body), refused);
                }
            }
        }
    }

    #[test]
    fn a_given_length_must_be_that_of_the_body() {
        // RFC 9110 section 8.6, RFC 9112 section 6.3 item 5.
        let most = u64::MAX.to_string();
        for (value, body, right) in [
            ("5", 5, true),
            ("0", 0, true),
            ("0005", 5, true),
            (&most, u64::MAX, true),
            ("5", 4, false),
            ("4294967301", 5, false),
            ("18446744073709551621", 5, false),
            ("", 0, false),
            ("5 ", 5, false),
            (" 5", 5, false),
            ("+5", 5, false),
            ("-0", 0, false),
            ("5,5", 5, false),
            ("5.0", 5, false),
            ("0x5", 5, false),
            ("5e0", 5, false),
        ] {
            let expected = match right {
                true => Ok((Length::Absent, true, false)),
                false => Err(Refusal::LengthMismatch),
            };
            assert_eq!(
                framed(200, &[("Content-Length", value)], body, false),
                expected,
                "{value}"
            );
        }
    }

    #[test]
    fn repeated_lengths_must_agree() {
        // RFC 9112 section 6.3 item 5.
        let both = |a, b| [("Content-Length", a), ("content-length", b)];
        let fine = Ok((Length::Absent, true, false));
        assert_eq!(framed(200, &both("5", "05"), 5, false), fine);
        for (a, b) in [("5", "6"), ("6", "5"), ("5", "x"), ("x", "5"), ("6", "6")] {
            let refused = Err(Refusal::LengthMismatch);
            assert_eq!(framed(200, &both(a, b), 5, false), refused, "{a} {b}");
        }
    }

    #[test]
    fn a_length_that_describes_absent_content_is_not_checked() {
        // RFC 9110 sections 8.6, 9.3.2 and 15.4.5.
        for value in ["4294967296", "18446744073709551616", "x"] {
            let fields = [("Content-Length", value)];
            let fine = Ok((Length::Absent, false, false));
            assert_eq!(framed(304, &fields, 5, false), fine);
            assert_eq!(framed(200, &fields, 5, true), fine);
        }
        // A 1xx or 204 describes nothing.
        for status in [100, 204] {
            let fields = [("Content-Length", "5")];
            let refused = Err(Refusal::LengthMismatch);
            assert_eq!(framed(status, &fields, 5, false), refused);
            let none = [("Content-Length", "0")];
            let fine = Ok((Length::Absent, false, false));
            assert_eq!(framed(status, &none, 5, false), fine);
        }
    }

    #[test]
    fn an_announced_trailer_needs_chunked_coding() {
        // RFC 9110 section 6.5.1, RFC 9112 section 7.1.2.
        let trailer = ("Trailer", "X-T");
        let added = Ok((Length::Chunked, true, true));
        assert_eq!(framed(200, &[trailer], 5, false), added);
        let given = [trailer, ("Transfer-Encoding", "chunked")];
        assert_eq!(
            framed(200, &given, 5, false),
            Ok((Length::Absent, true, true))
        );
        let refused = Err(Refusal::TrailerWithoutChunked);
        for other in [("Content-Length", "5"), ("Transfer-Encoding", "gzip")] {
            assert_eq!(framed(200, &[trailer, other], 5, false), refused);
        }
        assert_eq!(framed(204, &[trailer], 0, false), refused);
        assert_eq!(framed(304, &given, 0, false), refused);
        assert_eq!(framed(200, &[trailer], 5, true), refused);
    }

    #[test]
    fn a_chunked_204_or_304_closes_the_connection() {
        // Neither has a last chunk that a client could wait for; Node closes.
        let coding = ("Transfer-Encoding", "chunked");
        for status in [204, 304] {
            let decision = decided(status, &[coding], 5, false).unwrap();
            assert_eq!(decision.connection, Connection::Close);
            assert!(!decision.chunked && !decision.body);
            let given = [coding, ("Connection", "keep-alive")];
            let decision = decided(status, &given, 5, false).unwrap();
            assert_eq!(decision.connection, Connection::Absent);
        }
        for status in [100, 200] {
            let decision = decided(status, &[coding], 5, false).unwrap();
            assert_eq!(decision.connection, LATER, "{status}");
        }
    }

    #[test]
    fn given_fields_are_not_joined_by_others() {
        // RFC 9112 section 9.6 and Node's `_storeHeader`.
        let connection = |fields: &[_]| decided(200, fields, 0, false).unwrap().connection;
        assert_eq!(connection(&[]), LATER);
        assert_eq!(connection(&[("CONNECTION", "")]), Connection::Absent);
        assert_eq!(connection(&[("keep-alive", "")]), BARE);
        let date = |fields: &[_]| decided(200, fields, 0, false).unwrap().date;
        assert!(date(&[("Dates", ""), ("Dat", "")]));
        assert!(!date(&[("X", ""), ("dATE", "")]));
        for asked in [Connection::Absent, Connection::Close] {
            let request = Request {
                status: 200,
                body: 0,
                omit_body: false,
                connection: asked,
            };
            let fields = facts(&[("Keep-Alive", "timeout=5")]);
            assert_eq!(decide(fields, &request).unwrap().connection, asked);
        }
    }
}
