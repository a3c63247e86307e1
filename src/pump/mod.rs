//! The engine's readiness loop over borrowed descriptors. Knows nothing of Node.
//!
//! A [`Pump`] watches descriptors that somebody else owns in a set of its own
//! ([`Pump::descriptor`] is readable when one of them is). [`Pump::poll`] notes
//! which of them are ready, [`Pump::read_next`] reads them one by one.

mod slots;

use std::io::{self, ErrorKind};
use std::time::Duration;

use mio::unix::SourceFd;
use mio::{Events, Interest, Poll, Token};

use crate::syscall;

pub use slots::Slot;
use slots::Slots;

/// Bytes of one read, as libuv's.
pub const READ: usize = 64 * 1024;

/// Full reads of one descriptor in a row, as libuv's; then others come first.
const IN_A_ROW: u8 = 32;

/// Descriptors noted in one [`Pump::poll`].
const EVENTS: usize = 1024;

/// What [`Pump::read_next`] found at a descriptor.
#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    /// So many bytes were read, at least one. The read was not full, and the
    /// connection is gone in both directions, when it `hangs_up`.
    Bytes {
        /// Number of bytes.
        count: usize,
        /// Whether there is only the end, or an error, to be read.
        hangs_up: bool,
    },
    /// The peer sends no more.
    Ended,
    /// The read failed with this errno, which the kernel will not give again.
    Failed(i32),
}

/// A set of descriptors.
pub struct Pump {
    poll: Poll,
    events: Events,
    slots: Slots,
    /// What is ready and not yet read, in reverse order.
    ready: Vec<Ready>,
    /// Whether a connection that is gone in both directions ends behind a read that
    /// was not full, without another read (`uv__stream_io` of libuv before 1.52).
    ends_on_hang_up: bool,
    /// How often something was taken of what is ready.
    pub taken: u64,
}

struct Ready {
    token: Token,
    /// The peer sends no more, or there is an error: there is always more to read.
    last: bool,
    /// The connection is gone in both directions.
    hangs_up: bool,
    /// Full reads so far.
    reads: u8,
}

impl Pump {
    /// An empty set.
    ///
    /// # Errors
    ///
    /// When the system has no more descriptors.
    pub fn new(ends_on_hang_up: bool) -> io::Result<Self> {
        Ok(Self {
            poll: Poll::new()?,
            events: Events::with_capacity(EVENTS),
            slots: Slots::default(),
            ready: Vec::with_capacity(EVENTS),
            ends_on_hang_up,
            taken: 0,
        })
    }

    /// The descriptor of the set itself.
    pub fn descriptor(&self) -> i32 {
        std::os::fd::AsRawFd::as_raw_fd(&self.poll)
    }

    /// Takes a descriptor in, which is watched from now on if `slot` says so.
    ///
    /// # Errors
    ///
    /// Those of the system; then nothing has changed.
    pub fn add(&mut self, slot: Slot) -> io::Result<u32> {
        let (index, token) = self.slots.insert(slot);
        if slot.watched {
            if let Err(error) = self.register(slot.descriptor, token) {
                self.slots.remove(index);
                return Err(error);
            }
        }
        Ok(index)
    }

    fn register(&self, descriptor: i32, token: Token) -> io::Result<()> {
        let registry = self.poll.registry();
        registry.register(&mut SourceFd(&descriptor), token, Interest::READABLE)
    }

    fn tell_again(&self, descriptor: i32, token: Token) {
        let registry = self.poll.registry();
        // Fails when the descriptor is not in the set, and then nobody waits for it.
        let _ = registry.reregister(&mut SourceFd(&descriptor), token, Interest::READABLE);
    }

    fn deregister(&self, descriptor: i32) {
        // Fails when the descriptor is closed already, which has taken it out.
        let _ = self.poll.registry().deregister(&mut SourceFd(&descriptor));
    }

    /// Lets a descriptor go.
    pub fn remove(&mut self, index: u32) {
        if let Some(slot) = self.slots.remove(index) {
            if slot.watched {
                self.deregister(slot.descriptor);
            }
        }
    }

    /// Stops watching a descriptor, or watches it again.
    ///
    /// # Errors
    ///
    /// Those of the system, when watching again.
    pub fn watch(&mut self, index: u32, watched: bool) -> io::Result<()> {
        match self.slots.change(index, |slot| slot.watched = watched) {
            Some((slot, token)) if watched && !slot.watched => {
                self.register(slot.descriptor, token)
            }
            Some((slot, _)) if !watched && slot.watched => {
                self.deregister(slot.descriptor);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Says whether a descriptor keeps the process alive while it is watched.
    pub fn hold(&mut self, index: u32, holds: bool) {
        self.slots.change(index, |slot| slot.holds = holds);
    }

    /// Whether a watched descriptor keeps the process alive.
    pub fn is_held(&self) -> bool {
        self.slots.is_held()
    }

    /// Notes the descriptors that are ready now, without waiting.
    ///
    /// # Errors
    ///
    /// Those of the system.
    pub fn poll(&mut self) -> io::Result<()> {
        match self.poll.poll(&mut self.events, Some(Duration::ZERO)) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => return Ok(()),
            Err(error) => return Err(error),
        }
        self.ready.extend(self.events.iter().map(|event| Ready {
            token: event.token(),
            last: event.is_read_closed() || event.is_error() || event.is_write_closed(),
            hangs_up: self.ends_on_hang_up && event.is_write_closed(),
            reads: 0,
        }));
        self.ready.reverse();
        Ok(())
    }

    /// Forgets what is ready; the set does not tell of it again.
    pub fn forget(&mut self) {
        self.ready.clear();
    }

    /// Whether [`Pump::read_next`] has something left to read.
    pub fn is_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// Reads the next descriptor that is ready, has not been let go since, and
    /// is watched still. `buffer` has room for [`READ`] bytes.
    pub fn read_next(&mut self, buffer: &mut [u8]) -> Option<(u32, Slot, Found)> {
        while let Some(mut ready) = self.ready.pop() {
            self.taken += 1;
            let Some((index, slot)) = self.slots.find(ready.token) else {
                continue;
            };
            if !slot.watched {
                continue;
            }
            let count = match receive(slot.descriptor, buffer) {
                Ok(0) => return Some((index, slot, Found::Ended)),
                Ok(count) => count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => continue,
                Err(error) => {
                    let errno = syscall::errno(&error);
                    return Some((index, slot, Found::Failed(errno)));
                }
            };
            let is_full = count == buffer.len();
            let hangs_up = ready.hangs_up && !is_full;
            // The set tells of more only when more comes.
            if is_full {
                ready.reads += 1;
                if ready.reads < IN_A_ROW {
                    self.ready.push(ready);
                } else {
                    ready.reads = 0;
                    self.ready.insert(0, ready);
                }
            } else if ready.last && !hangs_up {
                // Told of again by the next `poll`; libuv reads an end no sooner.
                self.tell_again(slot.descriptor, ready.token);
            }
            return Some((index, slot, Found::Bytes { count, hangs_up }));
        }
        None
    }
}

/// Reads a descriptor that was let go, as far as its owner would at once.
/// Returns 0 when there is nothing to read, or the peer sends no more.
///
/// # Errors
///
/// Those of the system, which the kernel will not give again.
pub fn read(descriptor: i32, buffer: &mut [u8]) -> io::Result<usize> {
    match receive(descriptor, buffer) {
        Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(0),
        result => result,
    }
}

/// Has the kernel gather what is sent on a connection into full segments, for a
/// fifth of a second at most (`TCP_CORK`), or send what it has gathered. Nothing
/// happens where there is no such thing.
pub fn cork(descriptor: i32, corked: bool) {
    #[cfg(target_os = "linux")]
    {
        let value = libc::c_int::from(corked);
        // SAFETY: the value is alive during the call, and as long as is said. A
        // descriptor that is no TCP socket makes the call fail and nothing else.
        unsafe {
            libc::setsockopt(
                descriptor,
                libc::IPPROTO_TCP,
                libc::TCP_CORK,
                (&raw const value).cast(),
                size_of::<libc::c_int>() as libc::socklen_t,
            );
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (descriptor, corked);
}

/// One `recv`.
fn receive(descriptor: i32, buffer: &mut [u8]) -> io::Result<usize> {
    let (start, length) = (buffer.as_mut_ptr(), buffer.len());
    syscall::bytes(|| {
        // SAFETY: pointer and length are those of `buffer`. A descriptor that is
        // no socket makes the call fail and nothing else.
        unsafe { libc::recv(descriptor, start.cast(), length, 0) }
    })
}

#[cfg(test)]
mod tests;
