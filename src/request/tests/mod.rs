//! What is a whole request, how it is read, and what is left to Node for which
//! reason.

mod fields;
mod framing;
mod line;

use super::{parse, Body, Method, Reason, Request, Span};

const LIMIT: usize = 16 * 1024;

/// A request in plain values.
#[derive(Debug, PartialEq, Eq)]
struct Read {
    method: &'static str,
    target: String,
    persists: bool,
    fields: Vec<(String, String)>,
    body: Option<Vec<String>>,
    length: usize,
}

fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| char::from(byte)).collect()
}

fn read(input: &[u8]) -> Result<Read, Reason> {
    let (mut fields, mut chunks) = (Vec::new(), Vec::new());
    let request = parse(input, LIMIT, &mut fields, &mut chunks)?;
    let text = |span: Span| latin1(span.of(input));
    Ok(Read {
        method: request.method.name(),
        target: text(request.target),
        persists: request.persists,
        fields: fields
            .iter()
            .map(|field| (text(field.name), text(field.value)))
            .collect(),
        body: match request.body {
            Body::None => None,
            Body::Length(span) => Some(vec![text(span)]),
            Body::Chunked => Some(chunks.into_iter().map(text).collect()),
        },
        length: request.length as usize,
    })
}

fn whole(input: &[u8]) -> Read {
    read(input).unwrap_or_else(|reason| panic!("{reason:?}: {}", latin1(input)))
}

fn left(input: &[u8]) -> Reason {
    match read(input) {
        Ok(request) => panic!("{request:?}"),
        Err(reason) => reason,
    }
}

/// A GET with these lines of fields.
fn with(lines: &str) -> Vec<u8> {
    let text = format!("GET / HTTP/1.1\r\n{lines}\r\n\r\n");
    text.chars().map(|c| c as u8).collect()
}

/// A chunked POST with this body.
fn chunked(body: &str) -> Vec<u8> {
    format!("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n{body}").into()
}

#[test]
fn a_request_without_fields_is_whole() {
    let request = whole(b"GET / HTTP/1.1\r\n\r\n");
    assert_eq!(
        request,
        Read {
            method: "GET",
            target: "/".into(),
            persists: true,
            fields: Vec::new(),
            body: None,
            length: 18,
        }
    );
}

#[test]
fn spans_are_offsets_into_the_input() {
    let input = b"PUT /a?b HTTP/1.1\r\nHost: h\r\nContent-Length:  3\r\n\r\nxyzGET /";
    let (mut fields, mut chunks) = (Vec::new(), vec![Span::new(1, 2)]);
    let request = parse(input, LIMIT, &mut fields, &mut chunks);
    let expected = Request {
        method: Method::Put,
        target: Span::new(4, 8),
        persists: true,
        body: Body::Length(Span::new(50, 53)),
        head: 50,
        length: 53,
    };
    assert_eq!(request, Ok(expected));
    let spans: Vec<_> = fields.iter().flat_map(|f| [f.name, f.value]).collect();
    let offsets = [(19, 23), (25, 26), (28, 42), (45, 46)];
    assert_eq!(spans, offsets.map(|(start, end)| Span::new(start, end)));
    assert_eq!(chunks, []);
}

#[test]
fn every_start_of_a_request_is_partial() {
    let identity = b"POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nabcd";
    let coded = chunked("3\r\nabc\r\n10\r\n0123456789abcdef\r\n0\r\n\r\n");
    for input in [&identity[..], &coded] {
        assert_eq!(whole(input).length, input.len());
        for end in 1..input.len() {
            assert_eq!(left(&input[..end]), Reason::Partial, "{end}");
        }
    }
}

#[test]
fn a_head_as_long_as_the_limit_is_large() {
    let (mut fields, mut chunks) = (Vec::new(), Vec::new());
    let mut parse = |input: &[u8], limit| {
        let request = parse(input, limit, &mut fields, &mut chunks);
        request.map(|request| request.head as usize)
    };
    let input = with("A: b");
    let head = input.len();
    for behind in ["", "GET / HTTP/1.1"] {
        let input = [&input[..], behind.as_bytes()].concat();
        for limit in 0..=head {
            assert_eq!(parse(&input, limit), Err(Reason::Large), "{limit}");
        }
        assert_eq!(parse(&input, head + 1), Ok(head));
        assert_eq!(parse(&input, usize::MAX), Ok(head));
    }
    assert_eq!(parse(&input[..9], 9), Err(Reason::Large));
    assert_eq!(parse(&input[..9], 10), Err(Reason::Partial));
    // Bytes of a body are not those of a head.
    let body = b"PUT / HTTP/1.1\r\nContent-Length: 100\r\n\r\nabc";
    assert_eq!(parse(body, 41), Err(Reason::Partial));
}

#[test]
fn names_of_reasons_differ() {
    use Reason::*;
    let all = [
        Partial, Large, Method, Target, Version, Field, Framing, Upgrade, Expect, Connection,
        Chunk, Trailers,
    ];
    let mut names = all.map(Reason::name).to_vec();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all.len());
}
