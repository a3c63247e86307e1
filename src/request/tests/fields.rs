//! The field lines.

use super::{left, read, whole, with};
use crate::request::{Reason, MOST_FIELDS};

#[test]
fn values_lose_the_space_around_them_and_nothing_else() {
    for (line, name, value) in [
        ("A:b", "A", "b"),
        ("a: b", "a", "b"),
        ("A-b_1!: \t b \t ", "A-b_1!", "b"),
        ("A:", "A", ""),
        ("A: \t ", "A", ""),
        ("A: b\t c:\td", "A", "b\t c:\td"),
        ("A: \u{80}\u{ff}\u{a0}", "A", "\u{80}\u{ff}\u{a0}"),
        ("A: 0123456789 123456789\t", "A", "0123456789 123456789"),
    ] {
        let fields = whole(&with(line)).fields;
        assert_eq!(fields, [(name.into(), value.into())], "{line:?}");
    }
}

#[test]
fn tokens_and_values_are_those_of_the_builder() {
    for byte in 0..=255u8 {
        let name = [b"GET / HTTP/1.1\r\nA", &[byte][..], b": b\r\n\r\n"].concat();
        let is_name = crate::wire::field::is_name(&[byte]) || byte == b':';
        assert_eq!(read(&name).is_ok(), is_name, "{byte}");
        for place in 0..10 {
            let mut value = *b"0123456789";
            value[place] = byte;
            let input = [b"GET / HTTP/1.1\r\nA: ", &value[..], b"\r\n\r\n"].concat();
            let is_value = crate::wire::field::is_value(&value);
            assert_eq!(read(&input).is_ok(), is_value, "{byte} {place}");
        }
    }
}

#[test]
fn malformed_and_folded_fields_are_left() {
    for lines in [
        ": b",
        "A",
        "A b: c",
        "A : b",
        "A\t: b",
        " A: b",
        "\tA: b",
        "A: b\r\n c",
        "A: b\r\n\tc",
        "A: b\r\n ",
        "A: b\nB: c",
        "A: b\rB: c",
        "A: b\r\rB: c",
        "A: b\n",
        "A: \0",
        "A: b\x08c",
        "A: b\x7f",
        "\u{e4}: b",
        "A: b\r\n\rC: d",
        "A(b): c",
    ] {
        assert_eq!(left(&with(lines)), Reason::Field, "{lines:?}");
    }
    assert_eq!(left(b"GET / HTTP/1.1\r\nA: b\r\n\n"), Reason::Field);
    assert_eq!(left(b"GET / HTTP/1.1\r\n\n"), Reason::Field);
    assert_eq!(left(b"GET / HTTP/1.1\r\n\rX"), Reason::Field);
}

#[test]
fn a_connection_persists_unless_it_is_to_close() {
    assert!(whole(&with("A: b")).persists);
    for (value, persists) in [
        ("keep-alive", true),
        ("Keep-Alive", true),
        ("close", false),
        ("\tCLOSE", false),
    ] {
        let request = whole(&with(&format!("connection: {value}")));
        assert_eq!(request.persists, persists, "{value}");
    }
    for lines in [
        "Connection:",
        "Connection: close ",
        "Connection: close\t",
        "Connection: close,",
        "Connection: close, keep-alive",
        "Connection: keep-alive, upgrade",
        "Connection: upgrade",
        "Connection: te",
        "Connection: keepalive",
        "Connection: keep-alive\r\nConnection: keep-alive",
        "Connection: close\r\nConnection: keep-alive",
        "Proxy-Connection: keep-alive",
        "proxy-connection: close",
    ] {
        assert_eq!(left(&with(lines)), Reason::Connection, "{lines:?}");
    }
}

#[test]
fn fields_that_change_the_exchange_are_left() {
    assert_eq!(left(&with("Upgrade: websocket")), Reason::Upgrade);
    assert_eq!(left(&with("UPGRADE:")), Reason::Upgrade);
    assert_eq!(left(&with("Expect: 100-continue")), Reason::Expect);
    assert_eq!(left(&with("expect: other")), Reason::Expect);
}

#[test]
fn names_that_are_nearly_special_are_plain() {
    for line in [
        "Expec: a",
        "Expects: a",
        "Upgrades: a",
        "Upgrade-Insecure-Requests: 1",
        "Connections: a",
        "Connectiom: a",
        "Keep-Alive: timeout=5",
        "Content-Lengths: a",
        "Content_Length: a",
        "Transfer_Encoding: chunked",
        "Transfer-Encodings: a",
        "Proxy_Connection: a",
        "Trailer: a",
        "TE: trailers",
    ] {
        let request = whole(&with(line));
        assert_eq!((request.body, request.persists), (None, true), "{line}");
    }
}

#[test]
fn more_fields_than_node_keeps_are_large() {
    let lines = |count| format!("GET / HTTP/1.1\r\n{}\r\n", "a:\r\n".repeat(count));
    assert_eq!(
        whole(lines(MOST_FIELDS).as_bytes()).fields.len(),
        MOST_FIELDS
    );
    assert_eq!(left(lines(MOST_FIELDS + 1).as_bytes()), Reason::Large);
}
