//! Parses requests for the tests in `test/request`.
//!
//! Standard input is a sequence of inputs, each behind its length (four bytes,
//! little-endian); the argument is the limit of a head in bytes. Each input gets a
//! line of JSON: `{"reason":…}` if it is left to Node, else the request with its
//! spans as pairs of offsets.

use std::io::{self, BufWriter, Read, Write};

use request::{parse, Body, Request, Span};

// The module itself, since a program cannot link the crate: Node-API is there only
// inside Node.
#[path = "../src/request/mod.rs"]
mod request;

fn main() -> io::Result<()> {
    let limit = std::env::args().nth(1).and_then(|limit| limit.parse().ok());
    let limit = limit.unwrap_or(usize::MAX);
    let mut inputs = Vec::new();
    io::stdin().read_to_end(&mut inputs)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let (mut fields, mut chunks) = (Vec::new(), Vec::new());
    let mut rest = &inputs[..];
    while let Some((length, behind)) = rest.split_first_chunk() {
        let length = u32::from_le_bytes(*length) as usize;
        let Some((input, behind)) = behind.split_at_checked(length) else {
            return Err(io::ErrorKind::UnexpectedEof.into());
        };
        rest = behind;
        match parse(input, limit, &mut fields, &mut chunks) {
            Ok(request) => {
                let fields = fields.iter().flat_map(|field| [field.name, field.value]);
                let fields: Vec<Span> = fields.collect();
                writeln!(out, "{}", json(&request, &fields, &chunks))?;
            }
            Err(reason) => writeln!(out, r#"{{"reason":"{}"}}"#, reason.name())?,
        }
    }
    out.flush()
}

fn json(request: &Request, fields: &[Span], chunks: &[Span]) -> String {
    let body = match request.body {
        Body::None => "null".into(),
        Body::Length(span) => list(&[span]),
        Body::Chunked => list(chunks),
    };
    format!(
        r#"{{"method":"{}","target":[{},{}],"persists":{},"fields":{},"body":{body},"head":{},"length":{}}}"#,
        request.method.name(),
        request.target.start,
        request.target.end,
        request.persists,
        list(fields),
        request.head,
        request.length,
    )
}

fn list(spans: &[Span]) -> String {
    let pairs = spans
        .iter()
        .map(|span| format!("[{},{}]", span.start, span.end));
    format!("[{}]", pairs.collect::<Vec<_>>().join(","))
}
