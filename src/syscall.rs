//! What system calls return.

use std::io::{self, ErrorKind};

/// Makes a call that returns a number of bytes, again where a signal came in between.
///
/// # Errors
///
/// The system's.
pub fn bytes(call: impl Fn() -> libc::ssize_t) -> io::Result<usize> {
    loop {
        match usize::try_from(call()) {
            Ok(count) => return Ok(count),
            Err(_) => match io::Error::last_os_error() {
                error if error.kind() == ErrorKind::Interrupted => continue,
                error => return Err(error),
            },
        }
    }
}

/// The errno of an error.
pub fn errno(error: &io::Error) -> i32 {
    error.raw_os_error().unwrap_or(libc::EIO)
}
