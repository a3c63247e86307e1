//! What frames a body, and the body.

use super::{chunked, left, whole, with};
use crate::request::Reason;

#[test]
fn a_length_of_digits_frames_the_body() {
    for (length, body) in [
        ("0", ""),
        ("3", "abc"),
        ("0003", "abc"),
        ("10", "a\r\n\r\n\0bcde"),
    ] {
        for method in ["GET", "HEAD", "DELETE", "POST", "TRACE"] {
            let head = format!("{method} / HTTP/1.1\r\ncontent-LENGTH:\t {length}\r\n\r\n");
            let input = [head.as_bytes(), body.as_bytes(), b"GET / HTTP/1.1"].concat();
            let request = whole(&input);
            assert_eq!(request.body, Some(vec![body.into()]), "{length}");
            assert_eq!(request.length, head.len() + body.len(), "{length}");
        }
    }
}

#[test]
fn other_lengths_are_left() {
    for value in [
        "",
        "+1",
        "-1",
        "1,1",
        "1, 1",
        "1 1",
        "1 ",
        "1\t",
        "0x1",
        "1.0",
        "1e0",
        "a",
        "\u{b2}",
        "9007199254740992",
        "18446744073709551617",
        "00000000000000001",
        "'1'",
        "1;",
    ] {
        let lines = format!("Content-Length: {value}");
        assert_eq!(left(&with(&lines)), Reason::Framing, "{value:?}");
    }
    // No request so long has a place in memory.
    assert_eq!(
        left(&with("Content-Length: 9007199254740991")),
        Reason::Large
    );
    assert_eq!(left(&with("Content-Length: 4294967296")), Reason::Large);
    assert_eq!(left(&with("Content-Length: 4000000000")), Reason::Partial);
}

#[test]
fn framing_that_is_given_twice_is_left() {
    for lines in [
        "Content-Length: 0\r\nContent-Length: 0",
        "Content-Length: 0\r\nContent-Length: 1",
        "Content-Length: 0\r\nA: b\r\ncontent-length: 0",
        "Content-Length: 0\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nContent-Length: 0",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked",
    ] {
        assert_eq!(left(&with(lines)), Reason::Framing, "{lines:?}");
    }
}

#[test]
fn chunks_are_read_one_by_one() {
    for (body, chunks) in [
        ("0\r\n\r\n", &[][..]),
        ("3\r\nabc\r\n0\r\n\r\n", &["abc"]),
        (
            "1\r\na\r\n02\r\nbc\r\n00000003\r\nd\r\n\r\n0\r\n\r\n",
            &["a", "bc", "d\r\n"],
        ),
        (
            "a\r\n0123456789\r\nB\r\n0123456789a\r\n0\r\n\r\n",
            &["0123456789", "0123456789a"],
        ),
    ] {
        for value in ["chunked", "Chunked", "CHUNKED"] {
            let head = format!("GET / HTTP/1.1\r\nTRANSFER-encoding: {value}\r\n\r\n");
            let request = whole(format!("{head}{body}0\r\n\r\n").as_bytes());
            let expected = chunks.iter().map(|chunk| chunk.to_string()).collect();
            assert_eq!(request.body, Some(expected), "{body:?}");
            assert_eq!(request.length, head.len() + body.len(), "{body:?}");
        }
    }
}

#[test]
fn other_codings_are_left() {
    for value in [
        "",
        "identity",
        "gzip",
        "gzip, chunked",
        "chunked, chunked",
        "chunked,",
        ",chunked",
        "chunked, gzip",
        "xchunked",
        "chunkedx",
        "chunked;a=b",
        "chunked ",
        "chunked\t",
        "\"chunked\"",
        "chunke",
        "chun\u{212a}ed",
    ] {
        let lines = format!("Transfer-Encoding: {value}");
        let input = [&with(&lines)[..], b"0\r\n\r\n"].concat();
        assert_eq!(left(&input), Reason::Framing, "{value:?}");
    }
}

#[test]
fn other_chunks_are_left() {
    for body in [
        "\r\n",
        "g\r\n",
        "-1\r\na\r\n",
        "+1\r\na\r\n",
        "0x1\r\na\r\n",
        " 1\r\na\r\n",
        "1 \r\na\r\n",
        "1\t\r\na\r\n",
        "1;\r\na\r\n",
        "1;a=b\r\na\r\n",
        "1\na\r\n",
        "1\r\r\na\r\n",
        "1\ra\r\n",
        "1\r\nab\r\n",
        "1\r\na\n",
        "1\r\na\rb",
        "1\r\na0\r\n\r\n",
        "000000001\r\na\r\n",
        "100000000\r\n",
        "00\r\n\r\n",
        "000\r\n\r\n",
        "0 \r\n\r\n",
        "0;\r\n\r\n",
        "0\n\r\n",
        "\u{b2}\r\n",
    ] {
        assert_eq!(left(&chunked(body)), Reason::Chunk, "{body:?}");
    }
    for trailers in ["A: b\r\n\r\n", "\n", "\rA", " \r\n", "0\r\n\r\n"] {
        let body = format!("0\r\n{trailers}");
        assert_eq!(left(&chunked(&body)), Reason::Trailers, "{body:?}");
    }
    assert_eq!(left(&chunked("ffffffff\r\n")), Reason::Partial);
}
