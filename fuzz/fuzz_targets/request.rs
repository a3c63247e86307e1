//! The request parser over arbitrary input, as a connection would give it: one
//! request behind the other until one is left to Node.
#![no_main]

use libfuzzer_sys::fuzz_target;
use request::{parse, Body, Field, Reason, Request, Span, MOST_FIELDS};

// The module itself, since a program cannot link the crate: Node-API is there only
// inside Node.
#[allow(dead_code)]
#[path = "../../src/request/mod.rs"]
mod request;

/// A limit that inputs reach.
const LIMIT: usize = 128;

type Parsed = Result<(Request, Vec<Field>, Vec<Span>), Reason>;

fn parsed(input: &[u8], limit: usize) -> Parsed {
    let (mut fields, mut chunks) = (Vec::new(), Vec::new());
    let request = parse(input, limit, &mut fields, &mut chunks)?;
    Ok((request, fields, chunks))
}

/// Every span stands behind the one before it and within the request.
fn check_spans(request: &Request, fields: &[Field], chunks: &[Span]) {
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

fuzz_target!(|input: &[u8]| {
    let mut rest = input;
    while !rest.is_empty() {
        let whole = parsed(rest, usize::MAX);
        let limited = parsed(rest, LIMIT);
        let Ok((request, fields, chunks)) = &whole else {
            assert!(limited == whole || limited == Err(Reason::Large));
            return;
        };
        check_spans(request, fields, chunks);
        assert!(fields.len() <= MOST_FIELDS);

        // Only the head counts for the limit.
        match request.head as usize {
            head if head < LIMIT => assert_eq!(limited, whole),
            _ => assert!(limited.is_err()),
        }
        // What follows does not count, and nothing may be missing.
        let (all, behind) = rest.split_at(request.length as usize);
        assert_eq!(parsed(all, usize::MAX), whole);
        for end in [1, all.len() / 2, request.head as usize - 1, all.len() - 1] {
            assert_eq!(parsed(&all[..end], usize::MAX), Err(Reason::Partial));
        }
        rest = behind;
    }
});
