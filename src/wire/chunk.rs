//! Chunked transfer coding, RFC 9112 section 7.1.

use super::out::{Full, Out};

/// What ends a non-empty chunk and then the body: the last chunk and an empty
/// trailer section.
pub const END_AFTER_DATA: &[u8] = b"\r\n0\r\n\r\n";

/// The body that has no data: the last chunk alone. A chunk of size zero would
/// end the body, so an empty body never gets a chunk of its own.
pub const END: &[u8] = b"0\r\n\r\n";

/// Writes the size line of a chunk: lower-case hexadecimal without padding, as
/// `Number.prototype.toString(16)` gives it in Node's `write_`.
pub fn put_size(out: &mut Out<'_>, size: u64) -> Result<(), Full> {
    // 16 digits hold every u64.
    let mut digits = [0u8; 16];
    let mut at = digits.len();
    let mut rest = size;
    loop {
        at -= 1;
        digits[at] = b"0123456789abcdef"[(rest & 15) as usize];
        rest >>= 4;
        if rest == 0 {
            break;
        }
    }
    out.put(&digits[at..])?;
    out.put(b"\r\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_lower_case_hexadecimal_without_padding() {
        for size in [
            0,
            1,
            9,
            10,
            15,
            16,
            255,
            256,
            4095,
            4096,
            0xabcdef,
            u64::from(u32::MAX) + 1,
            u64::MAX,
        ] {
            let mut bytes = [0u8; 18];
            let mut out = Out::new(&mut bytes);
            put_size(&mut out, size).unwrap();
            let length = out.len();
            assert_eq!(bytes[..length], *format!("{size:x}\r\n").as_bytes());
        }
    }
}
