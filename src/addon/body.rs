//! The body of a call: nothing, a string or bytes.

use napi::sys;

use super::registers::{Outcome, Register, Registers};
use super::values::{self, Range};

/// The body argument, its kind taken from the register `Body`.
#[derive(Clone, Copy)]
pub enum Body {
    /// There is none.
    None,
    /// A string of so many UTF-16 units, to go out as UTF-8.
    Utf8(sys::napi_value, usize),
    /// A string of so many UTF-16 units, to go out as latin1.
    Latin1(sys::napi_value, usize),
    /// A `Uint8Array`.
    Bytes(Range),
}

/// A body that was read.
pub enum Read<'a> {
    /// A string's bytes.
    Text(&'a [u8]),
    /// Where the bytes lie.
    Bytes(Range),
}

impl Body {
    /// Takes the argument.
    pub fn of(
        env: sys::napi_env,
        value: sys::napi_value,
        registers: &Registers,
    ) -> Result<Self, Outcome> {
        let body = match registers.get(Register::Body) as u8 {
            0 => Some(Body::None),
            1 => values::string_length(env, value).map(|units| Body::Utf8(value, units)),
            2 => values::string_length(env, value).map(|units| Body::Latin1(value, units)),
            3 => values::range_from(env, value, 0).map(Body::Bytes),
            _ => None,
        };
        body.ok_or(Outcome::BadCall)
    }

    /// How much room [`Body::read`] needs, in bytes: the longest encoding of a
    /// string and its terminator, nothing for bytes.
    pub fn room(&self) -> usize {
        match *self {
            Body::None | Body::Bytes(_) => 0,
            Body::Utf8(_, units) => units.saturating_mul(3).saturating_add(1),
            Body::Latin1(_, units) => units.saturating_add(1),
        }
    }

    /// The body has at least so many bytes.
    pub fn at_least(&self) -> usize {
        match *self {
            Body::None => 0,
            Body::Utf8(_, units) | Body::Latin1(_, units) => units,
            Body::Bytes(range) => range.len(),
        }
    }

    /// Encodes a string into `room`, or says where the bytes lie.
    pub fn read<'a>(&self, env: sys::napi_env, room: &'a mut [u8]) -> Result<Read<'a>, Outcome> {
        let read = match *self {
            Body::None => Some(0),
            Body::Bytes(range) => return Ok(Read::Bytes(range)),
            Body::Utf8(value, _) => values::read_utf8(env, value, room),
            Body::Latin1(value, _) => values::read_latin1(env, value, room),
        };
        read.and_then(|length| room.get(..length))
            .map(Read::Text)
            .ok_or(Outcome::BadCall)
    }
}
