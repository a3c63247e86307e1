//! The builder behind `buildHttpMessage`.

use std::ptr;

use napi::sys;

use super::body::{Body, Read};
use super::environment::Environment;
use super::registers::{Outcome, Register, Registers};
use super::values::{self, grow, Call};
use crate::wire::date;
use crate::wire::field::{self, Fault, Fields};
use crate::wire::framing::{self, Decision, Facts, Refusal, Request};
use crate::wire::head::{self, Head, StatusLine};
use crate::wire::message::{self, Coding};
use crate::wire::out::{Full, Out};

/// `build(joined: string, body: string | Uint8Array | undefined, slab: Uint8Array) -> number`:
/// frames the message of the registers into `slab` from `Offset` on.
///
/// `joined` is the reason phrase (`Start` characters of it) and the joined
/// fields. Returns the length of the message in bytes, or an [`Outcome`].
pub unsafe extern "C" fn build(
    env: sys::napi_env,
    info: sys::napi_callback_info,
) -> sys::napi_value {
    // SAFETY: Node calls this with the data pointer that `register` gave it.
    let Some(mut call) = (unsafe { Call::<3>::new(env, info) }) else {
        return ptr::null_mut();
    };
    let [joined, body, slab] = call.arguments;
    let environment = call.environment();
    let length = match build_into(env, joined, body, slab, environment) {
        Ok(length) => length as f64,
        Err(outcome) => f64::from(outcome as i32),
    };
    environment.shrink();
    values::number(env, length)
}

fn build_into(
    env: sys::napi_env,
    joined: sys::napi_value,
    body: sys::napi_value,
    slab: sys::napi_value,
    environment: &mut Environment,
) -> Result<usize, Outcome> {
    let Environment {
        registers,
        dates,
        scratch,
        units,
        ..
    } = environment;
    let text_length = values::string_length(env, joined).ok_or(Outcome::BadCall)?;
    let offset = registers.count(Register::Offset).unwrap_or(0) as usize;
    let body = Body::of(env, body, registers)?;
    if !grow(scratch, text_length.saturating_add(body.room())) {
        return Err(Outcome::NoMemory);
    }
    let (text, rest) = scratch.split_at_mut(text_length);
    read_text(env, joined, units, text)?;

    let start = registers.count(Register::Start).unwrap_or(0) as usize;
    let (reason, joined) = text.split_at_checked(start).ok_or(Outcome::BadCall)?;
    let fields = check_fields(registers, reason, joined)?;
    let room = values::range_from(env, slab, offset).ok_or(Outcome::BadCall)?;
    let body = match body.read(env, rest)? {
        // A body that is a view of the slab's free part would be overwritten
        // while it is read; the caller comes again with a slab of its own.
        Read::Bytes(range) if range.overlaps(&room) => {
            return Err(no_room(registers, text_length, fields, range.len()));
        }
        // SAFETY: the range is that of a live argument, is read before this
        // call returns and does not overlap what is written.
        Read::Bytes(range) => unsafe { range.as_slice() },
        Read::Text(bytes) => bytes,
    };

    let decision = decide(registers, fields, body.len())?;
    let head = Head {
        status_line: StatusLine::Parts(registers.get(Register::Status) as u16, reason),
        fields,
        date: registers.count(Register::Date).filter(|_| decision.date),
        connection: decision.connection,
        length: decision.length,
    };
    let body = if decision.body { body } else { &[] };
    // SAFETY: the range is that of the live slab, from `Offset` on, which has
    // not been handed out; `body` does not overlap it.
    let room = unsafe { room.as_mut_slice() };
    put(room, &head, body, decision.chunked, dates)
        .map_err(|Full| no_room(registers, text_length, fields, body.len()))
}

fn put(
    room: &mut [u8],
    head: &Head<'_>,
    body: &[u8],
    chunked: bool,
    dates: &mut date::Cache,
) -> Result<usize, Full> {
    let coding = if chunked {
        Coding::Chunked
    } else {
        Coding::Identity
    };
    let mut out = Out::new(room);
    message::put_prefix(&mut out, head, body.len(), coding, dates)?;
    out.put(body)?;
    out.put(message::suffix(body.len(), coding))?;
    Ok(out.len())
}

fn no_room(registers: &Registers, text: usize, fields: Fields<'_>, body: usize) -> Outcome {
    let needed = head::bound(text, fields.count())
        .saturating_add(message::CODING_BOUND)
        .saturating_add(body);
    registers.set(Register::Total, needed as f64);
    Outcome::NoRoom
}

/// Reads `joined` as latin1 into `text`, which has its exact length.
fn read_text(
    env: sys::napi_env,
    joined: sys::napi_value,
    units: &mut Vec<u16>,
    text: &mut [u8],
) -> Result<(), Outcome> {
    if !grow(units, text.len().saturating_add(1)) {
        return Err(Outcome::NoMemory);
    }
    let read = values::read_utf16(env, joined, units).ok_or(Outcome::BadCall)?;
    let units = units.get(..read).ok_or(Outcome::BadCall)?;
    if units.len() != text.len() {
        return Err(Outcome::BadCall);
    }
    let mut all = 0;
    for (byte, &unit) in text.iter_mut().zip(units) {
        all |= unit;
        *byte = unit as u8;
    }
    if all > 0xff {
        return Err(Outcome::NotLatin1);
    }
    Ok(())
}

/// Checks the reason phrase and each field.
fn check_fields<'a>(
    registers: &'a Registers,
    reason: &[u8],
    joined: &'a [u8],
) -> Result<Fields<'a>, Outcome> {
    if !field::is_value(reason) {
        return Err(Outcome::Reason);
    }
    let lengths = registers.lengths().ok_or(Outcome::FieldLengths)?;
    let fields = Fields::new(joined, lengths).ok_or(Outcome::FieldLengths)?;
    fields.check().map_err(|fault| {
        let (place, outcome) = match fault {
            Fault::Name(place) => (place, Outcome::FieldName),
            Fault::Value(place) => (place, Outcome::FieldValue),
        };
        registers.set(Register::Detail, place as f64);
        outcome
    })?;
    Ok(fields)
}

fn decide(registers: &Registers, fields: Fields<'_>, body: usize) -> Result<Decision, Outcome> {
    let request = Request {
        status: registers.get(Register::Status) as u16,
        body: body as u64,
        omit_body: registers.get(Register::OmitBody) != 0.0,
        connection: registers.connection(),
    };
    framing::decide(Facts::observe(fields), &request).map_err(|refusal| {
        registers.set(Register::Detail, body as f64);
        match refusal {
            Refusal::LengthAndCoding => Outcome::LengthAndCoding,
            Refusal::LengthMismatch => Outcome::LengthMismatch,
            Refusal::TrailerWithoutChunked => Outcome::Trailer,
        }
    })
}
