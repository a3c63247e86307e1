//! What all targets check.

use request::{parse, Body, Field, Reason, Request, Span};

// The module itself, since a program cannot link the crate: Node-API is there only
// inside Node.
#[allow(dead_code)]
#[path = "../../../src/request/mod.rs"]
pub mod request;

pub type Parsed = Result<(Request, Vec<Field>, Vec<Span>), Reason>;

pub fn parsed(input: &[u8], limit: usize) -> Parsed {
    let (mut fields, mut chunks) = (Vec::new(), Vec::new());
    let request = parse(input, limit, &mut fields, &mut chunks)?;
    Ok((request, fields, chunks))
}

/// Checks that every span stands behind the one before it and within the request.
pub fn check_spans(request: &Request, fields: &[Field], chunks: &[Span]) {
    let mut at = 0;
    let mut check = |span: Span| {
        assert!(at <= span.start && span.start <= span.end);
        at = span.end;
    };
    check(request.target);
    for field in fields {
        assert!(field.name.start < field.name.end);
        check(field.name);
        check(field.value);
    }
    let (head, length) = (request.head, request.length);
    check(Span {
        start: head,
        end: head,
    });
    match request.body {
        Body::None => assert_eq!(head, length),
        Body::Length(span) => {
            assert_eq!((span.start, span.end), (head, length));
            check(span);
        }
        Body::Chunked => {
            for &chunk in chunks {
                assert!(chunk.start < chunk.end);
                check(chunk);
            }
        }
    }
    check(Span {
        start: length,
        end: length,
    });
    assert!(chunks.is_empty() || request.body == Body::Chunked);
}
