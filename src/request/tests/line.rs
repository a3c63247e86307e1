//! The request line.

use super::{left, read, whole};
use crate::request::{Method, Reason};

#[test]
fn every_method_is_read_by_its_name() {
    assert_eq!(Method::NAMES.len(), 34);
    for &name in Method::NAMES {
        let line = format!("{name} / HTTP/1.1\r\n\r\n");
        assert_eq!(whole(line.as_bytes()).method, name);
        for near in [name.to_lowercase(), format!("{name}X"), name[1..].into()] {
            let line = format!("{near} / HTTP/1.1\r\n\r\n");
            assert_eq!(left(line.as_bytes()), Reason::Method, "{near}");
        }
    }
    assert_eq!(Method::Unsubscribe.name(), "UNSUBSCRIBE");
}

#[test]
fn what_does_not_start_with_a_method_is_left() {
    for start in [
        "CONNECT ",
        "PRI ",
        "DESCRIBE ",
        " ",
        "\r\nGET ",
        "\nGET ",
        "GET\t",
        "GET\r\n",
        "\0GET ",
        "HTTP/1.1 ",
        "\x16\x03\x01 ",
    ] {
        let line = format!("{start}/ HTTP/1.1\r\n\r\n");
        assert_eq!(left(line.as_bytes()), Reason::Method, "{start:?}");
    }
}

#[test]
fn targets_are_origin_form_asterisk_form_and_plain_absolute_form() {
    let target = |target: &str| read(format!("GET {target} HTTP/1.1\r\n\r\n").as_bytes());
    for accepted in [
        "/",
        "//",
        "/a/b?c=d&e?f",
        "/!\"$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
        "*",
        "http://a",
        "http://a/",
        "HTTPS://a.b-c_9:80/d?e",
        "http://127.0.0.1:8080?q",
        "http://a:/",
    ] {
        let read = target(accepted).map(|request| request.target);
        assert_eq!(read.as_deref(), Ok(accepted));
    }
    for refused in [
        "",
        " /",
        "/a#b",
        "/a#b#c",
        "**",
        "*/",
        "?a",
        "a",
        "a:80",
        "ftp://a/",
        "http:/a",
        "http://",
        "http:///a",
        "http://:80/",
        "http://[::1]/",
        "http://u@a/",
        "http://u:p@a/",
        "http://a:b/",
        "http://a:80x",
        "http://a%20/",
        "/\t",
        "/\0",
        "/\x7f",
        "/a\rb",
        "/a\nb",
    ] {
        assert_eq!(target(refused), Err(Reason::Target), "{refused}");
    }
    assert_eq!(left(b"GET /\xc3\xa4 HTTP/1.1\r\n\r\n"), Reason::Target);
    assert_eq!(left(b"GET /\r\n\r\n"), Reason::Target);
}

#[test]
fn only_the_exact_version_is_read() {
    for version in [
        "HTTP/1.0\r\n",
        "HTTP/2.0\r\n",
        "HTTP/0.9\r\n",
        "HTTP/1.2\r\n",
        "HTTP/1.10\r\n",
        "http/1.1\r\n",
        "HTTP/1.1\n\r\n",
        "HTTP/1.1 \r\n",
        " HTTP/1.1\r\n",
        "HTTP/1.1\r\r\n",
        "ICE/1.1\r\n\r\n",
        "RTSP/1.1\r\n",
    ] {
        let line = format!("GET / {version}\r\n");
        assert_eq!(left(line.as_bytes()), Reason::Version, "{version:?}");
    }
}
