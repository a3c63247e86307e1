//! Field names and field values, RFC 9110 section 5, and the joined form in
//! which a header block crosses from JavaScript.

/// Stands behind each field name and each field value of a joined block. No
/// valid name or value holds it, and [`Fields::new`] compares the count of
/// pieces, so that one inside a value cannot make a field.
pub const SEPARATOR: u8 = 0;

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

/// A header block in joined form: `name SEPARATOR value SEPARATOR` a field, in
/// latin1.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'a> {
    /// Invariant: empty, or ends with [`SEPARATOR`]; holds `2 * count` of them.
    joined: &'a [u8],
    count: usize,
}

impl<'a> Fields<'a> {
    /// Takes a joined block of `count` fields; `None` when its pieces are not
    /// exactly that many, which means that a name or a value held a separator.
    pub fn new(joined: &'a [u8], count: usize) -> Option<Self> {
        let pieces = memchr::memchr_iter(SEPARATOR, joined).count();
        let whole = joined.last().is_none_or(|&last| last == SEPARATOR);
        (whole && pieces.is_multiple_of(2) && pieces / 2 == count).then_some(Self { joined, count })
    }

    /// How many fields the block has.
    pub fn count(&self) -> usize {
        self.count
    }
}

impl<'a> IntoIterator for Fields<'a> {
    type Item = (&'a [u8], &'a [u8]);
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        Iter { rest: self.joined }
    }
}

/// The fields of a block in order, as `(name, value)`.
#[derive(Debug)]
pub struct Iter<'a> {
    rest: &'a [u8],
}

impl<'a> Iter<'a> {
    #[inline]
    fn piece(&mut self) -> Option<&'a [u8]> {
        let end = self.rest.iter().position(|&byte| byte == SEPARATOR)?;
        let piece = &self.rest[..end];
        self.rest = &self.rest[end + 1..];
        Some(piece)
    }
}

impl<'a> Iterator for Iter<'a> {
    type Item = (&'a [u8], &'a [u8]);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        Some((self.piece()?, self.piece()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_separator_inside_a_piece_is_found_by_the_count() {
        assert!(Fields::new(b"a\x00b\x00", 1).is_some());
        assert!(Fields::new(b"", 0).is_some());
        for (joined, count) in [
            (&b"a\x00b\x00c\x00"[..], 1),
            (b"a\x00b\x00c\x00d\x00", 1),
            (b"a\x00b", 1),
            (b"a\x00b\x00c", 1),
            (b"a\x00b\x00", 0),
            (b"", 1),
            (b"a\x00b\x00", usize::MAX),
        ] {
            assert!(Fields::new(joined, count).is_none(), "{joined:?} {count}");
        }
    }

    #[test]
    fn fields_come_in_order_with_empty_values_kept() {
        let fields = Fields::new(b"a\x001\x00B\x00\x00a\x003\x00", 3).unwrap();
        assert_eq!(fields.count(), 3);
        let got: Vec<_> = fields.into_iter().collect();
        assert_eq!(got, [(&b"a"[..], &b"1"[..]), (b"B", b""), (b"a", b"3")]);
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
