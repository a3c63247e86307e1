//! A bounded cursor over a byte slice.

/// The slice has no room for what was to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// Writes bytes one after another into a borrowed slice and never beyond it.
#[derive(Debug)]
pub struct Out<'a> {
    bytes: &'a mut [u8],
    /// Invariant: `at <= bytes.len()`.
    at: usize,
}

impl<'a> Out<'a> {
    /// A cursor at the start of `bytes`.
    pub fn new(bytes: &'a mut [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// How many bytes have been written.
    pub fn len(&self) -> usize {
        self.at
    }

    /// Whether nothing has been written.
    pub fn is_empty(&self) -> bool {
        self.at == 0
    }

    /// Appends `source`, or writes nothing and returns [`Full`].
    #[inline]
    pub fn put(&mut self, source: &[u8]) -> Result<(), Full> {
        let room = self.bytes.get_mut(self.at..).ok_or(Full)?;
        room.get_mut(..source.len())
            .ok_or(Full)?
            .copy_from_slice(source);
        self.at += source.len();
        Ok(())
    }

    /// Appends a field line, RFC 9112 section 5.
    #[inline]
    pub fn put_field(&mut self, name: &[u8], value: &[u8]) -> Result<(), Full> {
        let room = self.bytes.get_mut(self.at..).ok_or(Full)?;
        let (to_name, room) = room.split_at_mut_checked(name.len()).ok_or(Full)?;
        let (colon, room) = room.split_first_chunk_mut::<2>().ok_or(Full)?;
        let (to_value, room) = room.split_at_mut_checked(value.len()).ok_or(Full)?;
        let (end, _) = room.split_first_chunk_mut::<2>().ok_or(Full)?;
        to_name.copy_from_slice(name);
        *colon = *b": ";
        to_value.copy_from_slice(value);
        *end = *b"\r\n";
        self.at += name.len() + value.len() + 4;
        Ok(())
    }

    /// Appends `value` in decimal.
    #[inline]
    pub fn put_decimal(&mut self, value: u64) -> Result<(), Full> {
        self.put(itoa::Buffer::new().format(value).as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_that_does_not_fit_leaves_the_slice_untouched() {
        let mut bytes = [0u8; 4];
        let mut out = Out::new(&mut bytes);
        assert!(out.is_empty());
        assert_eq!(out.put(b"abc"), Ok(()));
        assert_eq!(out.put(b"de"), Err(Full));
        assert_eq!(out.len(), 3);
        assert_eq!(out.put(b"d"), Ok(()));
        assert_eq!(out.put(b""), Ok(()));
        assert_eq!(out.put(b"e"), Err(Full));
        assert_eq!(&bytes, b"abcd");
    }

    #[test]
    fn a_field_line_is_written_whole_or_not_at_all() {
        for room in 0..=8 {
            let mut bytes = [0u8; 8];
            let mut out = Out::new(&mut bytes[..room]);
            let fits = room >= 7;
            assert_eq!(out.put_field(b"ab", b"c").is_ok(), fits);
            assert_eq!(out.len(), if fits { 7 } else { 0 });
            assert_eq!(bytes.starts_with(b"ab: c\r\n"), fits);
            assert!(fits || bytes == [0; 8]);
        }
    }
}
