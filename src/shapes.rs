//! Sequences of field names, by number. Clients send the same few, so that what
//! follows from the names alone need be found out only once.

use std::collections::HashMap;

use crate::request::Field;

/// The most sequences that are kept; then all are forgotten.
const KEPT: usize = 512;

/// Longer sequences than this have no number, in fields and in bytes.
const MOST_FIELDS: usize = 31;
const MOST_BYTES: usize = 1024;

/// The sequences met so far.
#[derive(Default)]
pub struct Shapes {
    numbers: HashMap<Box<[u8]>, u32>,
    /// Numbers are not used again.
    next: u32,
    /// The sequence looked for: each name with its colon.
    key: Vec<u8>,
}

impl Shapes {
    /// The number of the names of `fields` in the casing of the sender, never 0;
    /// `None` for a sequence that is too long to be kept.
    pub fn number(&mut self, input: &[u8], fields: &[Field]) -> Option<u32> {
        if fields.len() > MOST_FIELDS {
            return None;
        }
        self.key.clear();
        for field in fields {
            self.key.extend_from_slice(field.name.of(input));
            self.key.push(b':');
        }
        if self.key.len() > MOST_BYTES {
            return None;
        }
        if let Some(number) = self.numbers.get(self.key.as_slice()) {
            return Some(*number);
        }
        if self.numbers.len() == KEPT {
            self.numbers.clear();
        }
        self.next = self.next.checked_add(1)?;
        self.numbers.insert(self.key.as_slice().into(), self.next);
        Some(self.next)
    }
}

#[cfg(test)]
mod tests {
    use super::{Shapes, KEPT, MOST_BYTES, MOST_FIELDS};
    use crate::request::{Field, Span};

    fn names(text: &[u8], names: &[&str]) -> Vec<Field> {
        let mut start = 0;
        let spans = names.iter().map(|name| {
            let end = start + name.len() as u32;
            let span = Span { start, end };
            start = end;
            Field {
                name: span,
                value: Span { start: 0, end: 0 },
            }
        });
        assert_eq!(names.concat().as_bytes(), text);
        spans.collect()
    }

    fn number(shapes: &mut Shapes, list: &[&str]) -> Option<u32> {
        let text = list.concat();
        shapes.number(text.as_bytes(), &names(text.as_bytes(), list))
    }

    #[test]
    fn equal_sequences_have_one_number() {
        let mut shapes = Shapes::default();
        let first = number(&mut shapes, &["Host", "Accept"]);
        assert!(first.is_some_and(|number| number > 0));
        assert_eq!(number(&mut shapes, &["Host", "Accept"]), first);
        for other in [
            &["host", "Accept"][..],
            &["Accept", "Host"],
            &["Host"],
            &["HostAccept"],
            &["Hos", "tAccept"],
            &[],
        ] {
            assert_ne!(number(&mut shapes, other), first, "{other:?}");
        }
    }

    #[test]
    fn numbers_are_not_used_again() {
        let mut shapes = Shapes::default();
        let first = number(&mut shapes, &["Host"]);
        for i in 0..KEPT {
            assert_ne!(number(&mut shapes, &[&format!("X-{i}")]), first);
        }
        assert_ne!(number(&mut shapes, &["Host"]), first);
        assert!(shapes.numbers.len() <= KEPT);
    }

    #[test]
    fn long_sequences_have_none() {
        let mut shapes = Shapes::default();
        assert_eq!(number(&mut shapes, &["A"; MOST_FIELDS + 1]), None);
        assert!(number(&mut shapes, &["A"; MOST_FIELDS]).is_some());
        assert_eq!(number(&mut shapes, &[&"A".repeat(MOST_BYTES)]), None);
        assert!(number(&mut shapes, &[&"A".repeat(MOST_BYTES - 1)]).is_some());
    }
}
