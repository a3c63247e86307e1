//! The decoder of chunked bodies over arbitrary input behind a head.
#![no_main]

mod checks;

use checks::request::Reason;
use checks::{check_spans, parsed};
use libfuzzer_sys::fuzz_target;

const HEAD: &[u8] = b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";

/// Checks one line that says how long a chunk is.
fn check_size(line: &[u8], length: usize) {
    let text = std::str::from_utf8(line).unwrap();
    let digits = text.strip_suffix("\r\n").unwrap();
    assert!(digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
    assert_eq!(usize::from_str_radix(digits, 16), Ok(length));
}

fuzz_target!(|body: &[u8]| {
    let input = [HEAD, body].concat();
    let (request, fields, chunks) = match parsed(&input, usize::MAX) {
        Ok(all) => all,
        Err(reason) => {
            assert!(matches!(
                reason,
                Reason::Partial | Reason::Chunk | Reason::Trailers | Reason::Large
            ));
            return;
        }
    };
    check_spans(&request, &fields, &chunks);
    // Between the chunks there is their framing, and no byte more.
    let mut at = HEAD.len();
    for chunk in &chunks {
        let (start, end) = (chunk.start as usize, chunk.end as usize);
        check_size(&input[at..start], end - start);
        assert_eq!(&input[end..end + 2], b"\r\n");
        at = end + 2;
    }
    assert_eq!(&input[at..request.length as usize], b"0\r\n\r\n");
});
