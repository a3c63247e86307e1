//! Head and body put together.
//!
//! Framing adds bytes only before and behind a body, never inside it, so a
//! message is a prefix, the body as it is, and a fixed suffix: a large body
//! can be sent from where it lies.

use super::chunk;
use super::date;
use super::head::{self, Head};
use super::out::{Full, Out};

/// How the body of a message goes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    /// As it is.
    Identity,
    /// As one chunk and the last chunk.
    Chunked,
}

/// The most that chunked coding adds around a body: a size line of 16 digits
/// and the end.
pub const CODING_BOUND: usize = 18 + chunk::END_AFTER_DATA.len();

/// Writes what comes before a body of `body` bytes: the head and, with chunked
/// coding, the size line.
pub fn put_prefix(
    out: &mut Out<'_>,
    head: &Head<'_>,
    body: usize,
    coding: Coding,
    dates: &mut date::Cache,
) -> Result<(), Full> {
    head::write(out, head, dates)?;
    if coding == Coding::Chunked && body > 0 {
        chunk::put_size(out, body as u64)?;
    }
    Ok(())
}

/// What comes behind a body of `body` bytes.
pub fn suffix(body: usize, coding: Coding) -> &'static [u8] {
    match coding {
        Coding::Identity => b"",
        Coding::Chunked if body > 0 => chunk::END_AFTER_DATA,
        Coding::Chunked => chunk::END,
    }
}
