//! Build and send in one crossing.

use std::ptr;

use napi::sys;

use super::body::{Body, Read};
use super::environment::Environment;
use super::registers::{Outcome, Register, Registers};
use super::values::{self, Call};
use crate::wire::field::Fields;
use crate::wire::head::{self, Head, StatusLine};
use crate::wire::message::{self, Coding};
use crate::wire::out::{Full, Out};

/// Bodies of so many bytes are copied behind their head and leave in a plain
/// `send`; larger ones are sent from where they lie.
const COPIED: usize = 16 * 1024;

/// `send(joined: string, body: string | Uint8Array | undefined) -> number`:
/// frames the message of the registers and sends it on `Descriptor`.
///
/// `joined` is the rendered status line (`Start` characters of it) and the
/// joined fields, all ASCII. Returns how many bytes the kernel took, an errno
/// negated, or an [`Outcome`]; the message's length is in `Total`.
pub unsafe extern "C" fn send(
    env: sys::napi_env,
    info: sys::napi_callback_info,
) -> sys::napi_value {
    // SAFETY: Node calls this with the data pointer that `register` gave it.
    unsafe { sent(env, info, frame_and_send) }
}

/// `sendFramed(text: string, bytes: Uint8Array | undefined) -> number`: sends a
/// message that is framed already on `Descriptor`: `text`, whose kind is in
/// `Body`, and then `bytes`. Returns what [`send`] does; the length is in `Total`.
pub unsafe extern "C" fn send_framed(
    env: sys::napi_env,
    info: sys::napi_callback_info,
) -> sys::napi_value {
    // SAFETY: as in `send`.
    unsafe { sent(env, info, encode_and_send) }
}

/// What a function of two arguments came to that sends.
///
/// # Safety
///
/// The call is one of Node's, with the data pointer that `register` gave it.
unsafe fn sent(
    env: sys::napi_env,
    info: sys::napi_callback_info,
    send: impl FnOnce(
        sys::napi_env,
        sys::napi_value,
        sys::napi_value,
        &mut Environment,
    ) -> Result<usize, i32>,
) -> sys::napi_value {
    // SAFETY: that of the caller.
    let Some(mut call) = (unsafe { Call::<2>::new(env, info) }) else {
        return ptr::null_mut();
    };
    let [first, second] = call.arguments;
    let sent = match send(env, first, second, call.environment()) {
        Ok(sent) => sent as f64,
        Err(code) => f64::from(code),
    };
    values::number(env, sent)
}

fn encode_and_send(
    env: sys::napi_env,
    text: sys::napi_value,
    bytes: sys::napi_value,
    environment: &mut Environment,
) -> Result<usize, i32> {
    let Environment {
        registers, scratch, ..
    } = environment;
    let limit = registers.count(Register::Limit).unwrap_or(0);
    let text = Body::of(env, text, registers)?;
    let bytes = values::range_from(env, bytes, 0);
    let outside = bytes.map_or(0, |range| range.len());
    if text.at_least().saturating_add(outside) as u64 >= limit {
        return Err(Outcome::Large.into());
    }
    if !values::grow(scratch, text.room()) {
        return Err(Outcome::NoMemory.into());
    }
    let Read::Text(text) = text.read(env, scratch)? else {
        return Err(Outcome::BadCall.into());
    };
    let total = text.len() + outside;
    registers.set(Register::Total, total as f64);
    if total as u64 >= limit {
        return Err(Outcome::Large.into());
    }
    let descriptor = registers.get(Register::Descriptor) as i32;
    match bytes {
        // SAFETY: as in `frame_and_send`.
        Some(range) => platform::send_pieces(descriptor, [text, unsafe { range.as_slice() }, &[]]),
        None => platform::send(descriptor, text),
    }
}

fn frame_and_send(
    env: sys::napi_env,
    joined: sys::napi_value,
    body: sys::napi_value,
    environment: &mut Environment,
) -> Result<usize, i32> {
    let Environment {
        registers,
        dates,
        scratch,
        ..
    } = environment;
    let limit = registers.count(Register::Limit).unwrap_or(0);
    let body = Body::of(env, body, registers)?;
    let text = values::string_length(env, joined).ok_or(Outcome::BadCall)?;
    if body.at_least().saturating_add(text) as u64 >= limit {
        return Err(Outcome::Large.into());
    }

    // The body is read behind room for the prefix, whose length depends on the
    // body's; the prefix is then moved up to it.
    let prefix_room = prefix_bound(registers, text);
    let body_room = body.room().max(COPIED) + message::CODING_BOUND;
    if !values::grow(scratch, text.saturating_add(1) + prefix_room + body_room) {
        return Err(Outcome::NoMemory.into());
    }
    let (text_room, rest) = scratch.split_at_mut(text + 1);
    values::read_latin1(env, joined, text_room).ok_or(Outcome::BadCall)?;
    let head = head(registers, &text_room[..text]).ok_or(Outcome::FieldLengths)?;
    let coding = coding(registers);

    let (front, back) = rest.split_at_mut(prefix_room);
    let (length, outside) = match body.read(env, back)? {
        Read::Text(bytes) => (bytes.len(), None),
        Read::Bytes(range) => {
            // SAFETY: the argument is alive until this call returns, nothing
            // calls into JavaScript, and the scratch memory is the addon's own.
            let bytes = unsafe { range.as_slice() };
            match back.get_mut(..bytes.len()) {
                Some(room) if bytes.len() <= COPIED => {
                    room.copy_from_slice(bytes);
                    (bytes.len(), None)
                }
                _ => (bytes.len(), Some(bytes)),
            }
        }
    };

    let mut out = Out::new(front);
    message::put_prefix(&mut out, &head, length, coding, dates).map_err(|Full| Outcome::BadCall)?;
    let prefix = out.len();
    let suffix = message::suffix(length, coding);
    let total = prefix + length + suffix.len();
    registers.set(Register::Total, total as f64);
    if total as u64 >= limit {
        return Err(Outcome::Large.into());
    }

    let descriptor = registers.get(Register::Descriptor) as i32;
    match outside {
        Some(bytes) => platform::send_pieces(descriptor, [&front[..prefix], bytes, suffix]),
        None => {
            let start = prefix_room - prefix;
            let body_end = prefix_room + length;
            rest.copy_within(..prefix, start);
            rest[body_end..body_end + suffix.len()].copy_from_slice(suffix);
            platform::send(descriptor, &rest[start..start + total])
        }
    }
}

/// The most that comes before the body, for `text` characters of status line
/// and joined fields.
fn prefix_bound(registers: &Registers, text: usize) -> usize {
    let fields = registers.lengths().map_or(0, <[u32]>::len) / 2;
    head::bound(text, fields).saturating_add(message::CODING_BOUND)
}

fn coding(registers: &Registers) -> Coding {
    if registers.get(Register::Coding) == 1.0 {
        Coding::Chunked
    } else {
        Coding::Identity
    }
}

/// The head of the registers over `text`, the status line and joined fields;
/// `None` when the lengths do not describe them.
fn head<'a>(registers: &'a Registers, text: &'a [u8]) -> Option<Head<'a>> {
    let start = registers.count(Register::Start)? as usize;
    let (line, joined) = text.split_at_checked(start)?;
    Some(Head {
        status_line: StatusLine::Rendered(line),
        fields: Fields::new(joined, registers.lengths()?)?,
        date: registers.count(Register::Date),
        connection: registers.connection(),
        length: registers.length(),
    })
}

/// `renderHead(joined: string) -> string | undefined`: the text of the head
/// that [`send`] frames from the same registers; `undefined` when the lengths
/// do not describe the fields.
pub unsafe extern "C" fn render_head(
    env: sys::napi_env,
    info: sys::napi_callback_info,
) -> sys::napi_value {
    // SAFETY: Node calls this with the data pointer that `register` gave it.
    let Some(mut call) = (unsafe { Call::<1>::new(env, info) }) else {
        return ptr::null_mut();
    };
    let [joined] = call.arguments;
    rendered(env, joined, call.environment()).unwrap_or(ptr::null_mut())
}

fn rendered(
    env: sys::napi_env,
    joined: sys::napi_value,
    environment: &mut Environment,
) -> Option<sys::napi_value> {
    let Environment {
        registers,
        dates,
        scratch,
        ..
    } = environment;
    let text = values::string_length(env, joined)?;
    if !values::grow(
        scratch,
        text.saturating_add(1) + prefix_bound(registers, text),
    ) {
        return None;
    }
    let (text_room, rest) = scratch.split_at_mut(text + 1);
    values::read_latin1(env, joined, text_room)?;
    let mut out = Out::new(rest);
    head::write(&mut out, &head(registers, &text_room[..text])?, dates).ok()?;
    let length = out.len();
    Some(values::latin1_string(env, &rest[..length]))
}

#[cfg(unix)]
mod platform {
    use crate::syscall;

    #[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
    const FLAGS: libc::c_int = libc::MSG_NOSIGNAL;
    // Node ignores SIGPIPE from its start.
    #[cfg(not(any(target_os = "linux", target_os = "android", target_os = "freebsd")))]
    const FLAGS: libc::c_int = 0;

    fn outcome(call: impl Fn() -> libc::ssize_t) -> Result<usize, i32> {
        syscall::bytes(call).map_err(|error| -syscall::errno(&error))
    }

    /// One `send` of `message`.
    pub fn send(descriptor: i32, message: &[u8]) -> Result<usize, i32> {
        outcome(|| {
            // SAFETY: pointer and length are those of `message`. A descriptor
            // that is no socket makes the call fail and nothing else.
            unsafe { libc::send(descriptor, message.as_ptr().cast(), message.len(), FLAGS) }
        })
    }

    /// One `sendmsg` of three pieces in order.
    pub fn send_pieces(descriptor: i32, pieces: [&[u8]; 3]) -> Result<usize, i32> {
        let mut vectors = pieces.map(|piece| libc::iovec {
            iov_base: piece.as_ptr().cast_mut().cast(),
            iov_len: piece.len(),
        });
        // SAFETY: all-zero is the empty message header on every platform.
        let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
        message.msg_iov = vectors.as_mut_ptr();
        message.msg_iovlen = vectors.len() as _;
        outcome(|| {
            // SAFETY: the vectors describe the live slices `pieces`, which
            // `sendmsg` only reads.
            unsafe { libc::sendmsg(descriptor, &message, FLAGS) }
        })
    }
}

#[cfg(not(unix))]
mod platform {
    use super::Outcome;

    pub fn send(_descriptor: i32, _message: &[u8]) -> Result<usize, i32> {
        Err(Outcome::Unsupported as i32)
    }

    pub fn send_pieces(_descriptor: i32, _pieces: [&[u8]; 3]) -> Result<usize, i32> {
        Err(Outcome::Unsupported as i32)
    }
}
