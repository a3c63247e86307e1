//! The method, RFC 9110 section 9.

use super::Reason;

/// Defines [`Method`] with its names, in one place.
macro_rules! methods {
    ($($variant:ident $name:literal,)*) => {
        /// The methods that every tested Node release knows (`http.METHODS`), but
        /// `CONNECT`, which makes a tunnel. The common ones come first.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Method {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
        }

        impl Method {
            /// The names in the order of the discriminants.
            pub const NAMES: &'static [&'static str] = &[$($name),*];

            /// The method of this name; methods are case-sensitive.
            fn named(name: &[u8]) -> Option<Self> {
                // Each name is a constant, so that a comparison is one of numbers.
                $(if name == $name.as_bytes() {
                    return Some(Self::$variant);
                })*
                None
            }
        }
    };
}

methods! {
    Get "GET",
    Post "POST",
    Put "PUT",
    Head "HEAD",
    Delete "DELETE",
    Options "OPTIONS",
    Patch "PATCH",
    Acl "ACL",
    Bind "BIND",
    Checkout "CHECKOUT",
    Copy "COPY",
    Link "LINK",
    Lock "LOCK",
    MSearch "M-SEARCH",
    Merge "MERGE",
    MkActivity "MKACTIVITY",
    MkCalendar "MKCALENDAR",
    MkCol "MKCOL",
    Move "MOVE",
    Notify "NOTIFY",
    PropFind "PROPFIND",
    PropPatch "PROPPATCH",
    Purge "PURGE",
    Query "QUERY",
    Rebind "REBIND",
    Report "REPORT",
    Search "SEARCH",
    Source "SOURCE",
    Subscribe "SUBSCRIBE",
    Trace "TRACE",
    Unbind "UNBIND",
    Unlink "UNLINK",
    Unlock "UNLOCK",
    Unsubscribe "UNSUBSCRIBE",
}

/// Length of the longest name.
const LONGEST: usize = {
    let mut longest = 0;
    let mut place = 0;
    while place < Method::NAMES.len() {
        if Method::NAMES[place].len() > longest {
            longest = Method::NAMES[place].len();
        }
        place += 1;
    }
    longest
};

impl Method {
    /// The name, as it stands in a request line.
    pub fn name(self) -> &'static str {
        Self::NAMES.get(self as usize).copied().unwrap_or_default()
    }
}

/// Parses the method and the SP behind it; the offset is that of the target.
pub(super) fn parse(input: &[u8]) -> Result<(Method, usize), Reason> {
    let start = input.get(..=LONGEST).unwrap_or(input);
    match start.iter().position(|&byte| byte == b' ') {
        Some(end) => match start.get(..end).and_then(Method::named) {
            Some(method) => Ok((method, end + 1)),
            None => Err(Reason::Method),
        },
        None if start.len() > LONGEST => Err(Reason::Method),
        None => Err(Reason::Partial),
    }
}
