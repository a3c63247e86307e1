//! The head of a response: status line, field lines and the fields that Node
//! adds, in Node's order (`_storeHeader`).

use super::date;
use super::field::Fields;
use super::out::{Full, Out};

/// The first line of a head.
#[derive(Clone, Copy, Debug)]
pub enum StatusLine<'a> {
    /// Status code (100 to 999) and reason phrase, RFC 9112 section 4.
    Parts(u16, &'a [u8]),
    /// A whole line with its CRLF, as Node's `writeHead` renders it.
    Rendered(&'a [u8]),
}

/// The connection fields to add.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connection {
    /// None.
    Absent,
    /// `Connection: close`.
    Close,
    /// `Connection: keep-alive`, and a `Keep-Alive` field if there is a timeout.
    KeepAlive {
        /// Seconds.
        timeout: Option<u64>,
        /// How many requests the connection may still carry; only beside a
        /// timeout, as in Node.
        max: Option<u64>,
    },
}

/// The length or coding field to add.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// None: it is given, or the message needs none.
    Absent,
    /// `Content-Length` in bytes.
    Octets(u64),
    /// `Transfer-Encoding: chunked`.
    Chunked,
}

/// A head to be written.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// The first line.
    pub status_line: StatusLine<'a>,
    /// The given fields.
    pub fields: Fields<'a>,
    /// The second (since 1970, UTC) of the `Date` field to add.
    pub date: Option<u64>,
    /// The connection fields to add.
    pub connection: Connection,
    /// The length or coding field to add.
    pub length: Length,
}

/// The most that a head has beside its status line's text and its fields: the
/// added fields, each at its longest, and the line ends.
const ADDED: usize = 256;

/// An upper bound of the bytes that a head takes.
///
/// `joined` is the length of the joined fields and of the status line's text
/// in bytes, `count` the number of fields.
pub const fn bound(joined: usize, count: usize) -> usize {
    // Each field gets ": " and CRLF.
    joined
        .saturating_add(count.saturating_mul(4))
        .saturating_add(ADDED)
}

/// Writes `head` with the empty line that ends it.
pub fn write(out: &mut Out<'_>, head: &Head<'_>, dates: &mut date::Cache) -> Result<(), Full> {
    match head.status_line {
        StatusLine::Parts(status, reason) => {
            out.put(b"HTTP/1.1 ")?;
            out.put_decimal(u64::from(status))?;
            out.put(b" ")?;
            out.put(reason)?;
            out.put(b"\r\n")?;
        }
        StatusLine::Rendered(line) => out.put(line)?,
    }
    for (name, value) in head.fields {
        out.put_field(name, value)?;
    }
    if let Some(second) = head.date {
        out.put(b"Date: ")?;
        out.put(dates.get(second))?;
        out.put(b"\r\n")?;
    }
    match head.connection {
        Connection::Absent => {}
        Connection::Close => out.put(b"Connection: close\r\n")?,
        Connection::KeepAlive { timeout, max } => {
            out.put(b"Connection: keep-alive\r\n")?;
            if let Some(timeout) = timeout {
                out.put(b"Keep-Alive: timeout=")?;
                out.put_decimal(timeout)?;
                if let Some(max) = max {
                    out.put(b", max=")?;
                    out.put_decimal(max)?;
                }
                out.put(b"\r\n")?;
            }
        }
    }
    match head.length {
        Length::Absent => {}
        Length::Octets(length) => {
            out.put(b"Content-Length: ")?;
            out.put_decimal(length)?;
            out.put(b"\r\n")?;
        }
        Length::Chunked => out.put(b"Transfer-Encoding: chunked\r\n")?,
    }
    out.put(b"\r\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_holds_for_the_longest_added_fields() {
        let head = Head {
            status_line: StatusLine::Parts(999, b"reason"),
            fields: Fields::new(b"abc", &[1, 0, 1, 1]).unwrap(),
            date: Some(u64::MAX),
            connection: Connection::KeepAlive {
                timeout: Some(u64::MAX),
                max: Some(u64::MAX),
            },
            length: Length::Octets(u64::MAX),
        };
        let mut bytes = vec![0; bound(6 + 3, 2)];
        let mut out = Out::new(&mut bytes);
        write(&mut out, &head, &mut date::Cache::default()).unwrap();
        let length = out.len();
        assert_eq!(
            String::from_utf8_lossy(&bytes[..length]),
            "HTTP/1.1 999 reason\r\na: \r\nb: c\r\nDate: Fri, 31 Dec 9999 23:59:59 GMT\r\n\
             Connection: keep-alive\r\nKeep-Alive: timeout=18446744073709551615, max=18446744073709551615\r\n\
             Content-Length: 18446744073709551615\r\n\r\n"
        );
    }
}
