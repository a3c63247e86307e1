//! The byte core against the model of `model.rs`, for arbitrary messages, and
//! against arbitrary input where only bounds count.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::chunk;
use super::date::Cache;
use super::field::{self, Fault, Fields};
use super::framing::{decide, Facts, Refusal, Request};
use super::head::{self, Connection, Head, Length, StatusLine};
use super::message::{self, Coding};
use super::model::{self, Asked, Message, No};
use super::out::{Full, Out};

/// Names that mean something for framing, and ones that nearly do.
const NAMES: &[&str] = &[
    "Content-Length",
    "Transfer-Encoding",
    "Connection",
    "Keep-Alive",
    "Date",
    "Trailer",
    "Content-Lengths",
    "Content-Lengtj",
    "Transfer_Encoding",
    "Trailers",
    "Data",
    "X-A",
];

const VALUES: &[&str] = &[
    "0",
    "3",
    "03",
    "00000000000000000000003",
    "18446744073709551615",
    "18446744073709551616",
    "18446744073709551619",
    "-3",
    "+3",
    " 3",
    "3 ",
    "3, 3",
    "",
    "chunked",
    "Chunked",
    "gzip, chunked",
    "chunked;foo=bar",
    "chunkedchunked",
    "xchunked",
    "chunked_",
    "\u{e9}chunked\u{e9}",
    "close",
    "keep-alive",
    "timeout=5",
];

fn bytes_of(text: &str) -> Vec<u8> {
    text.chars().map(|c| c as u8).collect()
}

/// A name in any casing, or any token.
fn name() -> impl Strategy<Value = Vec<u8>> {
    let known = (select(NAMES), any::<u64>()).prop_map(|(name, casing)| {
        let flip = |(place, byte): (usize, u8)| match casing >> place & 1 {
            1 => byte.to_ascii_uppercase(),
            _ => byte.to_ascii_lowercase(),
        };
        name.bytes().enumerate().map(flip).collect()
    });
    let tokens: Vec<u8> = (0..=255).filter(|&byte| field::is_name(&[byte])).collect();
    prop_oneof![3 => known, 1 => vec(select(tokens), 1..20)]
}

fn value() -> impl Strategy<Value = Vec<u8>> {
    let allowed: Vec<u8> = (0..=255).filter(|&byte| field::is_value(&[byte])).collect();
    prop_oneof![3 => select(VALUES).prop_map(bytes_of), 1 => vec(select(allowed), 0..40)]
}

fn number() -> impl Strategy<Value = u64> {
    prop_oneof![
        Just(0),
        Just(5),
        Just(u64::MAX),
        Just(u64::from(u32::MAX) + 1),
        any::<u64>()
    ]
}

fn asked() -> impl Strategy<Value = Asked> {
    prop_oneof![
        Just(Asked::Nothing),
        Just(Asked::Close),
        (option::of(number()), option::of(number()))
            .prop_map(|(timeout, max)| Asked::KeepAlive { timeout, max }),
    ]
}

prop_compose! {
    fn message()(
        status in prop_oneof![4 => Just(200), 2 => select(vec![204, 304, 100, 199]), 2 => 100u16..=999],
        reason in value(),
        fields in vec((name(), value()), 0..6),
        body in prop_oneof![2 => vec(any::<u8>(), 3), 1 => Just(Vec::new()), 2 => vec(any::<u8>(), 0..300)],
        date in option::of(number()),
        asked in asked(),
        omit_body in prop::bool::weighted(0.2),
    ) -> Message {
        Message { status, reason, fields, body, date, asked, omit_body }
    }
}

/// Fields in joined form.
fn join(fields: &[(Vec<u8>, Vec<u8>)]) -> (Vec<u8>, Vec<u32>) {
    let pieces = || fields.iter().flat_map(|(name, value)| [name, value]);
    let lengths = pieces().map(|piece| u32::try_from(piece.len()).unwrap());
    (pieces().flatten().copied().collect(), lengths.collect())
}

/// An upper bound of a message's bytes, from its inputs.
fn bound(message: &Message) -> usize {
    let (joined, _) = join(&message.fields);
    let text = joined.len() + message.reason.len();
    head::bound(text, message.fields.len()) + message::CODING_BOUND + message.body.len()
}

/// Frames a message with the core, into `room`.
fn frame(message: &Message, room: &mut [u8]) -> Result<Result<usize, Full>, Refusal> {
    let (joined, lengths) = join(&message.fields);
    let fields = Fields::new(&joined, &lengths).unwrap();
    let request = Request {
        status: message.status,
        body: message.body.len() as u64,
        omit_body: message.omit_body,
        connection: match message.asked {
            Asked::Nothing => Connection::Absent,
            Asked::Close => Connection::Close,
            Asked::KeepAlive { timeout, max } => Connection::KeepAlive { timeout, max },
        },
    };
    let decision = decide(Facts::observe(fields), &request)?;
    let head = Head {
        status_line: StatusLine::Parts(message.status, &message.reason),
        fields,
        date: message.date.filter(|_| decision.date),
        connection: decision.connection,
        length: decision.length,
    };
    let body = if decision.body {
        &message.body[..]
    } else {
        &[]
    };
    let coding = match decision.chunked {
        true => Coding::Chunked,
        false => Coding::Identity,
    };
    let mut out = Out::new(room);
    let written = message::put_prefix(&mut out, &head, body.len(), coding, &mut Cache::default())
        .and_then(|()| out.put(body))
        .and_then(|()| out.put(message::suffix(body.len(), coding)));
    Ok(written.map(|()| out.len()))
}

fn same(refusal: Refusal) -> No {
    match refusal {
        Refusal::LengthAndCoding => No::LengthAndCoding,
        Refusal::LengthMismatch => No::LengthMismatch,
        Refusal::TrailerWithoutChunked => No::TrailerWithoutChunked,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn messages_are_those_of_the_model_and_within_the_bound(message in message()) {
        let mut room = vec![0; bound(&message)];
        match (frame(&message, &mut room), message.frame()) {
            (Ok(Ok(length)), Ok(expected)) => {
                prop_assert_eq!(model::latin1(&room[..length]), model::latin1(&expected));
            }
            (Err(refusal), Err(no)) => prop_assert_eq!(same(refusal), no),
            (got, expected) => prop_assert!(false, "{:?} {:?}", got, expected),
        }
    }

    #[test]
    fn no_message_leaves_its_room(message in message(), share in 0.0..1.1f64) {
        let Ok(expected) = message.frame() else { return Ok(()) };
        let total = expected.len();
        let room = (total as f64 * share) as usize;
        let mut memory = vec![0xaa; total + 400];
        let written = frame(&message, &mut memory[..room]).unwrap();
        prop_assert_eq!(written, if room < total { Err(Full) } else { Ok(total) });
        // What lies behind the room is untouched, and what was written is a part of the message.
        prop_assert!(memory[room..].iter().all(|&byte| byte == 0xaa));
        let end = room.min(total);
        let written = memory[..end].iter().zip(&expected).take_while(|(a, b)| a == b).count();
        prop_assert!(memory[written..end].iter().all(|&byte| byte == 0xaa));
    }

    #[test]
    fn arbitrary_lengths_describe_a_block_or_are_refused(
        joined in vec(any::<u8>(), 0..40),
        lengths in prop_oneof![
            vec(0u32..8, 0..10),
            vec(any::<u32>(), 0..10),
            vec(select(vec![0, 1, u32::MAX, u32::MAX - 1, 1 << 31]), 0..10),
        ],
    ) {
        let total: u128 = lengths.iter().map(|&length| u128::from(length)).sum();
        let describes = total == joined.len() as u128 && lengths.len() % 2 == 0;
        let fields = Fields::new(&joined, &lengths);
        prop_assert_eq!(fields.is_some(), describes);
        let Some(fields) = fields else { return Ok(()) };
        prop_assert_eq!(fields.count(), lengths.len() / 2);
        let pieces: Vec<_> = fields.into_iter().flat_map(|(name, value)| [name, value]).collect();
        let got: Vec<_> = pieces.iter().map(|piece| piece.len() as u32).collect();
        prop_assert_eq!(&got, &lengths);
        prop_assert_eq!(pieces.concat(), &joined[..]);
        // Nothing that is done with arbitrary fields may panic.
        let _ = Facts::observe(fields);
        let head = Head {
            status_line: StatusLine::Rendered(b"line\r\n"),
            fields,
            date: None,
            connection: Connection::Absent,
            length: Length::Absent,
        };
        let mut room = vec![0; head::bound(6 + joined.len(), fields.count())];
        prop_assert_eq!(head::write(&mut Out::new(&mut room), &head, &mut Cache::default()), Ok(()));
    }

    #[test]
    fn the_first_faulty_field_is_the_one_that_the_model_finds(
        fields in vec((vec(select(b"aZ9-~ :\r\n\0\x7f\xe9".to_vec()), 0..4), vec(select(b"a \t\r\n\0\x1f\x7f\x80\xff".to_vec()), 0..4)), 0..6),
    ) {
        let (joined, lengths) = join(&fields);
        let token = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(byte);
        let text = |byte: &u8| *byte == b'\t' || (*byte >= b' ' && *byte != 0x7f);
        let mut expected = Ok(());
        for (place, (name, value)) in fields.iter().enumerate().rev() {
            if !value.iter().all(text) {
                expected = Err(Fault::Value(place));
            }
            if name.is_empty() || !name.iter().all(token) {
                expected = Err(Fault::Name(place));
            }
        }
        prop_assert_eq!(Fields::new(&joined, &lengths).unwrap().check(), expected);
    }

    #[test]
    fn chunked_is_seen_where_it_is_a_word(
        pieces in vec(select(vec!["chunked", "CHUNKED", "chunk", "ed", "_", "x", "9", ",", " ", ";", "=", "\u{e9}", "-"]), 0..6),
    ) {
        let value = bytes_of(&pieces.concat());
        let (joined, lengths) = join(&[(b"Transfer-Encoding".to_vec(), value.clone())]);
        let facts = Facts::observe(Fields::new(&joined, &lengths).unwrap());
        let expected = model::words(&model::latin1(&value)).any(|word| word == "chunked");
        prop_assert_eq!(facts.chunked, expected, "{:?}", value);
    }

    #[test]
    fn dates_are_those_of_the_model_in_any_order(
        seconds in vec(prop_oneof![0..253_402_300_800u64, any::<u64>(), 0..100u64], 1..10),
    ) {
        let mut cache = Cache::default();
        for second in seconds {
            prop_assert_eq!(model::latin1(cache.get(second)), model::date(second));
        }
    }

    #[test]
    fn chunk_sizes_are_hexadecimal(size in number()) {
        let mut room = [0; 18];
        let mut out = Out::new(&mut room);
        chunk::put_size(&mut out, size).unwrap();
        let length = out.len();
        prop_assert_eq!(model::latin1(&room[..length]), format!("{size:x}\r\n"));
    }

    #[test]
    fn pieces_of_any_length_are_written_whole_or_not_at_all(
        room in 0..50usize,
        pieces in vec((any::<bool>(), vec(any::<u8>(), 0..20), vec(any::<u8>(), 0..20)), 0..10),
    ) {
        let mut memory = [0xaa; 60];
        let mut expected = Vec::new();
        let mut out = Out::new(&mut memory[..room]);
        for (is_field, a, b) in &pieces {
            let piece = match is_field {
                true => [&a[..], b": ", &b[..], b"\r\n"].concat(),
                false => a.clone(),
            };
            let written = match is_field {
                true => out.put_field(a, b),
                false => out.put(a),
            };
            let fits = expected.len() + piece.len() <= room;
            prop_assert_eq!(written, if fits { Ok(()) } else { Err(Full) });
            if fits {
                expected.extend(piece);
            }
            prop_assert_eq!(out.len(), expected.len());
        }
        prop_assert_eq!(&memory[..expected.len()], &expected[..]);
        prop_assert!(memory[expected.len()..].iter().all(|&byte| byte == 0xaa));
    }

    #[test]
    fn the_bound_of_a_head_never_overflows(joined in any::<usize>(), count in any::<usize>()) {
        prop_assert!(head::bound(joined, count) >= joined.max(count));
    }
}
