//! Properties of the parser for drawn requests, for what is nearly a request, and
//! for arbitrary bytes.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, Index};

use super::{parse, Body, Field, Method, Reason, Request, Span};
use crate::wire::field::{is_name, is_value};

const LIMIT: usize = 1000;

/// A request in parts.
#[derive(Clone, Debug)]
struct Parts {
    method: &'static str,
    target: Vec<u8>,
    /// Name, space before the value, value, space behind it.
    fields: Vec<[Vec<u8>; 4]>,
    connection: Option<&'static str>,
    body: Content,
}

#[derive(Clone, Debug)]
enum Content {
    None,
    Length(Vec<u8>),
    Chunked(Vec<Vec<u8>>),
}

impl Parts {
    fn render(&self) -> Vec<u8> {
        let mut out = [self.method.as_bytes(), b" ", &self.target, b" HTTP/1.1\r\n"].concat();
        for [name, before, value, behind] in &self.fields {
            out.extend([name, &b":"[..], before, value, behind, b"\r\n"].concat());
        }
        if let Some(value) = self.connection {
            out.extend(format!("Connection: {value}\r\n").bytes());
        }
        match &self.body {
            Content::None => out.extend(b"\r\n"),
            Content::Length(data) => {
                out.extend(format!("Content-Length: {}\r\n\r\n", data.len()).bytes());
                out.extend(data);
            }
            Content::Chunked(chunks) => {
                out.extend(b"Transfer-Encoding: chunked\r\n\r\n");
                for chunk in chunks {
                    out.extend(format!("{:x}\r\n", chunk.len()).bytes());
                    out.extend(chunk);
                    out.extend(b"\r\n");
                }
                out.extend(b"0\r\n\r\n");
            }
        }
        out
    }
}

/// Bytes of a kind, so many of them.
fn bytes(
    kind: impl Fn(u8) -> bool,
    count: std::ops::Range<usize>,
) -> impl Strategy<Value = Vec<u8>> {
    let kind: Vec<u8> = (0..=255).filter(|&byte| kind(byte)).collect();
    vec(select(kind), count)
}

fn field() -> impl Strategy<Value = [Vec<u8>; 4]> {
    let name = bytes(|byte| is_name(&[byte]), 1..20).prop_filter("a plain name", |name| {
        let special = ["expect", "upgrade", "connection", "proxy-connection"];
        let framing = ["content-length", "transfer-encoding"];
        let is = |other: &&str| name.eq_ignore_ascii_case(other.as_bytes());
        !special.iter().chain(&framing).any(is)
    });
    let space = || vec(select(b" \t".to_vec()), 0..3);
    let value = bytes(|byte| is_value(&[byte]), 0..40).prop_map(|value| {
        let text = |byte: &u8| !b" \t".contains(byte);
        let start = value.iter().position(text).unwrap_or(value.len());
        let end = value.iter().rposition(text).map_or(start, |last| last + 1);
        value[start..end].to_vec()
    });
    (name, space(), value, space())
        .prop_map(|(name, before, value, behind)| [name, before, value, behind])
}

prop_compose! {
    fn parts()(
        method in select(Method::NAMES),
        path in bytes(|byte| byte.is_ascii_graphic() && byte != b'#', 0..20),
        fields in vec(field(), 0..5),
        connection in option::of(select(vec!["close", "Close", "keep-alive"])),
        body in prop_oneof![
            Just(Content::None),
            vec(any::<u8>(), 0..30).prop_map(Content::Length),
            vec(vec(any::<u8>(), 1..20), 0..4).prop_map(Content::Chunked),
        ],
    ) -> Parts {
        let target = [b"/", &path[..]].concat();
        Parts { method, target, fields, connection, body }
    }
}

/// What may be done to the bytes of a request, at some place.
#[derive(Clone, Debug)]
enum Mutation {
    Insert(Vec<u8>),
    Replace(u8),
    Remove(usize),
    Repeat(usize),
}

fn mutation() -> impl Strategy<Value = (Index, Mutation)> {
    let piece = select(vec![
        "\r",
        "\n",
        "\r\n",
        " ",
        "\t",
        "\0",
        ":",
        ";",
        ",",
        "0",
        "f",
        "\r\n ",
        "chunked",
        "\x7f",
        "Content-Length: 3\r\n",
        "\r\nTransfer-Encoding:chunked",
        "0\r\n\r\n",
        "GET / HTTP/1.1\r\n",
    ]);
    let mutation = prop_oneof![
        piece.prop_map(|piece| Mutation::Insert(piece.into())),
        vec(any::<u8>(), 1..4).prop_map(Mutation::Insert),
        any::<u8>().prop_map(Mutation::Replace),
        (1..8usize).prop_map(Mutation::Remove),
        (1..40usize).prop_map(Mutation::Repeat),
    ];
    (any::<Index>(), mutation)
}

fn mutate(input: &mut Vec<u8>, (place, mutation): &(Index, Mutation)) {
    if input.is_empty() {
        return;
    }
    let place = place.index(input.len());
    let end = |count: usize| (place + count).min(input.len());
    let (range, piece) = match mutation {
        Mutation::Insert(piece) => (place..place, piece.clone()),
        Mutation::Replace(byte) => (place..place + 1, vec![*byte]),
        Mutation::Remove(count) => (place..end(*count), Vec::new()),
        Mutation::Repeat(count) => (place..place, input[place..end(*count)].to_vec()),
    };
    input.splice(range, piece);
}

/// Requests, what is nearly one, and arbitrary bytes.
fn input() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        2 => parts().prop_map(|parts| parts.render()),
        4 => (parts(), vec(mutation(), 1..4)).prop_map(|(parts, mutations)| {
            let mut input = parts.render();
            mutations.iter().for_each(|mutation| mutate(&mut input, mutation));
            input
        }),
        1 => vec(any::<u8>(), 0..100),
        1 => vec(select(b"GET /:*\r\n\t AHTP1.0x".to_vec()), 0..100),
    ]
}

type Parsed = Result<(Request, Vec<Field>, Vec<Span>), Reason>;

/// Parses with vectors that already hold something.
fn parsed(input: &[u8], limit: usize) -> Parsed {
    let nothing = Span::new(0, 0);
    let mut chunks = vec![nothing; 3];
    let mut fields = vec![Field {
        name: nothing,
        value: nothing,
    }];
    let request = parse(input, limit, &mut fields, &mut chunks)?;
    Ok((request, fields, chunks))
}

/// The spans of a request in the order in which they must stand.
fn spans((request, fields, chunks): &(Request, Vec<Field>, Vec<Span>)) -> Vec<Span> {
    let mut spans = vec![request.target];
    spans.extend(fields.iter().flat_map(|field| [field.name, field.value]));
    spans.push(Span::new(request.head as usize, request.head as usize));
    match request.body {
        Body::None => {}
        Body::Length(span) => spans.push(span),
        Body::Chunked => spans.extend(chunks),
    }
    spans.push(Span::new(request.length as usize, request.length as usize));
    spans
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn requests_are_read_as_they_were_written(parts in parts()) {
        let input = parts.render();
        let (request, fields, chunks) = parsed(&input, usize::MAX).unwrap();
        prop_assert_eq!(request.method.name(), parts.method);
        prop_assert_eq!(request.target.of(&input), &parts.target[..]);
        prop_assert_eq!(request.length as usize, input.len());
        let closes = parts.connection.is_some_and(|value| value.eq_ignore_ascii_case("close"));
        prop_assert_eq!(request.persists, !closes);
        for (field, [name, _, value, _]) in fields.iter().zip(&parts.fields) {
            prop_assert_eq!(field.name.of(&input), &name[..]);
            prop_assert_eq!(field.value.of(&input), &value[..]);
        }
        let data = |span: &Span| span.of(&input).to_vec();
        match (request.body, parts.body) {
            (Body::None, Content::None) => {}
            (Body::Length(span), Content::Length(expected)) => {
                prop_assert_eq!(data(&span), expected);
            }
            (Body::Chunked, Content::Chunked(expected)) => {
                prop_assert_eq!(chunks.iter().map(data).collect::<Vec<_>>(), expected);
            }
            (body, expected) => prop_assert!(false, "{:?} {:?}", body, expected),
        }
    }

    #[test]
    fn spans_stand_in_order_and_within_the_request(input in input()) {
        let Ok(parsed) = parsed(&input, LIMIT) else { return Ok(()) };
        let (request, fields, chunks) = &parsed;
        prop_assert!(request.length as usize <= input.len());
        prop_assert!((request.head as usize) < LIMIT);
        let spans = spans(&parsed);
        prop_assert!(spans.iter().all(|span| span.start <= span.end), "{:?}", spans);
        prop_assert!(spans.windows(2).all(|pair| pair[0].end <= pair[1].start), "{:?}", spans);
        prop_assert!(fields.iter().all(|field| is_name(field.name.of(&input))));
        prop_assert!(fields.iter().all(|field| is_value(field.value.of(&input))));
        prop_assert!(chunks.iter().all(|chunk| chunk.start < chunk.end));
        prop_assert!(chunks.is_empty() || request.body == Body::Chunked);
    }

    #[test]
    fn no_start_of_a_request_is_a_request(input in input()) {
        let Ok((request, ..)) = parsed(&input, LIMIT) else { return Ok(()) };
        for end in 0..request.length as usize {
            prop_assert_eq!(parsed(&input[..end], LIMIT), Err(Reason::Partial), "{}", end);
        }
    }

    #[test]
    fn what_follows_a_request_changes_nothing(a in input(), b in input()) {
        let both = [&a[..], &b].concat();
        let (alone, followed) = (parsed(&a, LIMIT), parsed(&both, LIMIT));
        match alone {
            Ok(_) => prop_assert_eq!(alone, followed),
            // More bytes may complete a request; nothing else becomes one.
            Err(Reason::Partial) => {}
            Err(_) => prop_assert_eq!(alone, followed),
        }
    }
}
