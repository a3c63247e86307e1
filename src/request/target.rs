//! The request target, RFC 9112 section 3.2.

use super::{Reason, Span};

/// The visible characters but `#`: llhttp takes these in a path and in a query.
/// It takes a fragment too, which no request target has by RFC 9112.
const TARGET: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0x21;
    while byte < 0x7f {
        table[byte] = byte != b'#' as usize;
        byte += 1;
    }
    table
};

/// Parses the target at `at` and the SP behind it; the offset is that of the
/// version.
pub(super) fn parse(input: &[u8], at: usize) -> Result<(Span, usize), Reason> {
    let rest = input.get(at..).unwrap_or_default();
    let Some(length) = rest.iter().position(|&byte| !TARGET[byte as usize]) else {
        return Err(Reason::Partial);
    };
    let (target, rest) = rest.split_at_checked(length).unwrap_or_default();
    let end = at + length;
    if rest.first() == Some(&b' ') && is_plain(target) {
        Ok((Span::new(at, end), end + 1))
    } else {
        Err(Reason::Target)
    }
}

/// Whether a target of the right characters is in origin-form, in asterisk-form,
/// or in absolute-form with a plain authority. llhttp also takes `*` with more
/// behind it, other schemes, and nearly any authority.
fn is_plain(target: &[u8]) -> bool {
    match target {
        [b'/', ..] | [b'*'] => true,
        _ => is_absolute(target),
    }
}

/// Whether `target` is `http://` or `https://`, a host name or IPv4 address, a
/// port if any, and a path or a query if any.
fn is_absolute(target: &[u8]) -> bool {
    let Some(authority) = strip_scheme(target, b"http://").or(strip_scheme(target, b"https://"))
    else {
        return false;
    };
    let is_host = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    let (host, rest) = split_run(authority, is_host);
    let rest = match rest {
        [b':', port @ ..] => split_run(port, u8::is_ascii_digit).1,
        _ => rest,
    };
    !host.is_empty() && matches!(rest, [] | [b'/' | b'?', ..])
}

/// What follows `scheme`, which stands in any casing (RFC 9110 section 4.2.3).
fn strip_scheme<'a>(target: &'a [u8], scheme: &[u8]) -> Option<&'a [u8]> {
    let (start, rest) = target.split_at_checked(scheme.len())?;
    start.eq_ignore_ascii_case(scheme).then_some(rest)
}

/// The longest start of `bytes` that is all of a kind, and the rest.
fn split_run(bytes: &[u8], kind: impl Fn(&u8) -> bool) -> (&[u8], &[u8]) {
    let end = bytes.iter().position(|byte| !kind(byte));
    bytes
        .split_at_checked(end.unwrap_or(bytes.len()))
        .unwrap_or_default()
}
