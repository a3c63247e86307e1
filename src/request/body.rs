//! The body, RFC 9112 sections 6 and 7.

use super::{Body, Reason, Span, MOST_BYTES};

/// The most hexadecimal digits of a chunk size: as many as a `u32` has. llhttp
/// takes any number of zeros before them.
const MOST_DIGITS: usize = 8;

/// The body of `octets` bytes at `at`, and the offset behind it.
pub(super) fn identity(input: &[u8], at: usize, octets: u64) -> Result<(Body, usize), Reason> {
    let end = usize::try_from(octets).ok().and_then(|n| at.checked_add(n));
    match end {
        Some(end) if end <= input.len() => Ok((Body::Length(Span::new(at, end)), end)),
        Some(end) if end <= MOST_BYTES => Err(Reason::Partial),
        _ => Err(Reason::Large),
    }
}

/// Decodes the chunked body at `at` (RFC 9112 section 7.1) into the spans of its
/// chunks; returned is the offset behind it.
pub(super) fn chunked(
    input: &[u8],
    mut at: usize,
    chunks: &mut Vec<Span>,
) -> Result<usize, Reason> {
    loop {
        let (size, digits) = size(input, at)?;
        at = line_end(input, at + digits, Reason::Chunk)?;
        if size == 0 {
            // A last chunk of several zeros is left to Node: other parsers on the
            // way may read it otherwise.
            return match digits {
                1 => line_end(input, at, Reason::Trailers),
                _ => Err(Reason::Chunk),
            };
        }
        let end = at.checked_add(size as usize).ok_or(Reason::Large)?;
        let next = line_end(input, end, Reason::Chunk)?;
        chunks.push(Span::new(at, end));
        at = next;
    }
}

/// The chunk size at `at`, and how many digits it has.
fn size(input: &[u8], at: usize) -> Result<(u32, usize), Reason> {
    let mut size = 0;
    let mut digits = 0;
    loop {
        let Some(&byte) = input.get(at.saturating_add(digits)) else {
            return Err(Reason::Partial);
        };
        let Some(digit) = char::from(byte).to_digit(16) else {
            break;
        };
        if digits == MOST_DIGITS {
            return Err(Reason::Chunk);
        }
        size = size << 4 | digit;
        digits += 1;
    }
    match digits {
        0 => Err(Reason::Chunk),
        _ => Ok((size, digits)),
    }
}

/// The offset behind the CRLF at `at`; the reason is that of anything else there.
fn line_end(input: &[u8], at: usize, other: Reason) -> Result<usize, Reason> {
    match input.get(at..) {
        Some([b'\r', b'\n', ..]) => Ok(at + 2),
        None | Some([] | [b'\r']) => Err(Reason::Partial),
        Some(_) => Err(other),
    }
}
