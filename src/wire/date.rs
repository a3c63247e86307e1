//! The value of the `Date` field, RFC 9110 section 5.6.7 (IMF-fixdate).

use std::time::{Duration, UNIX_EPOCH};

/// Length of an IMF-fixdate, `Sun, 06 Nov 1994 08:49:37 GMT`.
pub const LENGTH: usize = 29;

/// Seconds since 1970 at the end of the year 9999, the last an IMF-fixdate has
/// digits for.
const LAST: u64 = 253_402_300_799;

/// The last rendered date; a server renders one a second.
#[derive(Debug)]
pub struct Cache {
    second: u64,
    text: [u8; LENGTH],
}

impl Default for Cache {
    fn default() -> Self {
        Self {
            second: 0,
            text: *b"Thu, 01 Jan 1970 00:00:00 GMT",
        }
    }
}

impl Cache {
    /// The date of `second` (seconds since 1970, UTC). Times after the year
    /// 9999 stay at its last second.
    pub fn get(&mut self, second: u64) -> &[u8; LENGTH] {
        let second = second.min(LAST);
        if second != self.second {
            let date = httpdate::HttpDate::from(UNIX_EPOCH + Duration::from_secs(second));
            let text = date.to_string();
            if let Ok(text) = <[u8; LENGTH]>::try_from(text.as_bytes()) {
                self.text = text;
                self.second = second;
            }
        }
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_imf_fixdates_and_follow_the_second() {
        let mut cache = Cache::default();
        assert_eq!(cache.get(0), b"Thu, 01 Jan 1970 00:00:00 GMT");
        assert_eq!(cache.get(784_111_777), b"Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(cache.get(784_111_778), b"Sun, 06 Nov 1994 08:49:38 GMT");
        assert_eq!(cache.get(951_782_400), b"Tue, 29 Feb 2000 00:00:00 GMT");
        assert_eq!(cache.get(u64::MAX), b"Fri, 31 Dec 9999 23:59:59 GMT");
        assert_eq!(cache.get(0), b"Thu, 01 Jan 1970 00:00:00 GMT");
    }
}
