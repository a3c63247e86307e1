//! The request parser over arbitrary input, as a connection would give it: one
//! request behind the other until one is left to Node.
#![no_main]

mod checks;

use checks::request::{Reason, MOST_FIELDS};
use checks::{check_spans, parsed};
use libfuzzer_sys::fuzz_target;

/// A limit that inputs reach.
const LIMIT: usize = 128;

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
