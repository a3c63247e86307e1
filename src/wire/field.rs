//! Field names and field values, RFC 9110 section 5, and the joined form in
//! which a header block crosses from JavaScript.

/// The characters of a token, RFC 9110 section 5.6.2; the same set as Node's
/// `checkIsHttpToken`.
const TOKEN: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        let b = byte as u8;
        table[byte] = b.is_ascii_alphanumeric()
            || matches!(
                b,
                b'!' | b'#'
                    | b'$'
                    | b'%'
                    | b'&'
                    | b'\''
                    | b'*'
                    | b'+'
                    | b'-'
                    | b'.'
                    | b'^'
                    | b'_'
                    | b'`'
                    | b'|'
                    | b'~'
            );
        byte += 1;
    }
    table
};

/// Whether `name` is a field name: a non-empty token.
pub fn is_name(name: &[u8]) -> bool {
    !name.is_empty() && name.iter().all(|&byte| TOKEN[byte as usize])
}

/// Whether `value` may be a field value or a reason phrase: no control
/// character but TAB, and no DEL; the rule of Node's `checkInvalidHeaderChar`
/// over latin1 bytes.
pub fn is_value(value: &[u8]) -> bool {
    // Folded without a branch a byte, so that it runs over vectors.
    !value.iter().fold(false, |bad, &byte| {
        bad | ((byte < 0x20) & (byte != b'\t')) | (byte == 0x7f)
    })
}

/// A header block in joined form: all names and values behind one another in
/// latin1, with the length of each. No character of a value can make a field.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'a> {
    /// Invariant: as long as all of `lengths` together.
    joined: &'a [u8],
    /// Length of each name and each value in turn. Invariant: an even number of them.
    lengths: &'a [u32],
}

impl<'a> Fields<'a> {
    /// Takes a joined block; `None` when the lengths do not describe it.
    pub fn new(joined: &'a [u8], lengths: &'a [u32]) -> Option<Self> {
        let total: u64 = lengths.iter().map(|&length| u64::from(length)).sum();
        let fits = total == joined.len() as u64 && lengths.len().is_multiple_of(2);
        fits.then_some(Self { joined, lengths })
    }

    /// How many fields the block has.
    pub fn count(&self) -> usize {
        self.lengths.len() / 2
    }

    /// Whether every name and every value may stand in a message; the number of
    /// the first field that may not is in the error.
    pub fn check(&self) -> Result<(), Fault> {
        // Each character of a name may stand in a value, so that one pass over
        // the whole block leaves only the names to be looked at.
        let values = is_value(self.joined);
        for (place, (name, value)) in self.into_iter().enumerate() {
            if !is_name(name) {
                return Err(Fault::Name(place));
            }
            if !values && !is_value(value) {
                return Err(Fault::Value(place));
            }
        }
        Ok(())
    }
}

/// What [`Fields::check`] found, with the number of the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The name is no token.
    Name(usize),
    /// The value has a character that it may not have.
    Value(usize),
}

impl<'a> IntoIterator for Fields<'a> {
    type Item = (&'a [u8], &'a [u8]);
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        Iter {
            rest: self.joined,
            lengths: self.lengths,
        }
    }
}

/// The fields of a block in order, as `(name, value)`.
#[derive(Debug)]
pub struct Iter<'a> {
    rest: &'a [u8],
    lengths: &'a [u32],
}

impl<'a> Iterator for Iter<'a> {
    type Item = (&'a [u8], &'a [u8]);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let ([name, value], lengths) = self.lengths.split_first_chunk()?;
        let (name, rest) = self.rest.split_at_checked(*name as usize)?;
        let (value, rest) = rest.split_at_checked(*value as usize)?;
        self.rest = rest;
        self.lengths = lengths;
        Some((name, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_that_do_not_describe_the_block_are_refused() {
        assert!(Fields::new(b"ab", &[1, 1]).is_some());
        assert!(Fields::new(b"", &[]).is_some());
        let most = u32::MAX;
        for (joined, lengths) in [
            (&b"ab"[..], &[1, 2][..]),
            (b"ab", &[1, 0]),
            (b"ab", &[2]),
            (b"ab", &[]),
            (b"", &[1, 1]),
            (b"ab", &[1, 1, 0]),
            (b"ab", &[most, most, most, 5]),
        ] {
            assert!(
                Fields::new(joined, lengths).is_none(),
                "{joined:?} {lengths:?}"
            );
        }
    }

    #[test]
    fn fields_come_in_order_with_empty_values_kept() {
        let fields = Fields::new(b"a1Ba3", &[1, 1, 1, 0, 1, 1]).unwrap();
        assert_eq!(fields.count(), 3);
        let got: Vec<_> = fields.into_iter().collect();
        assert_eq!(got, [(&b"a"[..], &b"1"[..]), (b"B", b""), (b"a", b"3")]);
    }

    #[test]
    fn the_first_faulty_field_is_named() {
        let check = |joined: &[u8], lengths: &[u32]| Fields::new(joined, lengths).unwrap().check();
        assert_eq!(check(b"a1b2", &[1, 1, 1, 1]), Ok(()));
        assert_eq!(check(b"a1b\n", &[1, 1, 1, 1]), Err(Fault::Value(1)));
        assert_eq!(check(b"a1 2", &[1, 1, 1, 1]), Err(Fault::Name(1)));
        assert_eq!(check(b"a1", &[0, 2]), Err(Fault::Name(0)));
        assert_eq!(check(b"\n\n", &[1, 1]), Err(Fault::Name(0)));
        assert_eq!(check(b"a\x7f: ", &[1, 1, 1, 1]), Err(Fault::Value(0)));
    }

    #[test]
    fn names_are_tokens() {
        let tokens =
            "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
        for byte in 0..=255u8 {
            assert_eq!(
                is_name(&[b'a', byte]),
                tokens.as_bytes().contains(&byte),
                "{byte}"
            );
        }
        assert!(!is_name(b""));
    }

    #[test]
    fn values_have_no_control_character_but_tab() {
        for byte in 0..=255u8 {
            let allowed = byte == b'\t' || (0x20..=0x7e).contains(&byte) || byte >= 0x80;
            assert_eq!(is_value(&[b'a', byte, b'b']), allowed, "{byte}");
        }
        assert!(is_value(b""));
    }
}
