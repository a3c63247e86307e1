//! The numbers of a call: an array of doubles that JavaScript writes before it
//! and reads after it. A store into it costs a nanosecond, an argument several.

use std::ptr;

use napi::bindgen_prelude::Result;
use napi::sys;

use super::values::{self, Call};
use crate::wire::head::{Connection, Length};

/// Defines an enum of numbers and the table of their names that JavaScript gets.
macro_rules! numbers {
    (
        $(#[$about:meta])*
        $numbers:ident in $table:ident {
            $($(#[$doc:meta])* $name:ident $(= $value:literal)?,)*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(i32)]
        pub enum $numbers { $($(#[$doc])* $name $(= $value)?,)* }

        const $table: &[(&str, i32)] = &[$((stringify!($name), $numbers::$name as i32),)*];
    };
}

numbers! {
    /// One register by its place in the array.
    Register in REGISTERS {
        /// In: descriptor of the socket.
        Descriptor,
        /// In: status code, for the builder.
        Status,
        /// In: how many lengths of names and values are given.
        Count,
        /// In: length of the text before the fields, in characters.
        Start,
        /// In: second of the `Date` field, -1 for none.
        Date,
        /// In: 0 no connection field, 1 `close`, 2 `keep-alive`.
        Connection,
        /// In: seconds of the `Keep-Alive` field, -1 for none.
        Timeout,
        /// In: `max` of the `Keep-Alive` field, -1 for none.
        Max,
        /// In: `Content-Length` to add, -1 for none, -2 for `Transfer-Encoding: chunked`.
        Length,
        /// In: 0 identity, 1 chunked, for the body.
        Coding,
        /// In: 0 no body, 1 string as UTF-8, 2 string as latin1, 3 bytes.
        Body,
        /// In: whether the body is left out (answering HEAD), for the builder.
        OmitBody,
        /// In: messages of so many bytes and more are not sent.
        Limit,
        /// In: where the slab is free, for the builder.
        Offset,
        /// Out: length of the whole message in bytes.
        Total,
        /// Out: the field (from 0) or the length that an error is about.
        Detail,
    }
}

numbers! {
    /// Outcomes below zero. A failed send is the errno, negated; these stand
    /// beneath every errno.
    Outcome in OUTCOMES {
        /// The call's own arguments are not of the expected kind.
        BadCall = -10_000,
        /// The lengths do not describe the joined fields.
        FieldLengths = -10_001,
        /// A field name is no token; the field's number is in `Detail`.
        FieldName = -10_002,
        /// A field value has a character that it may not have; number in `Detail`.
        FieldValue = -10_003,
        /// The reason phrase has a character that it may not have.
        Reason = -10_004,
        /// A character over U+00FF stands in the fields or the reason phrase.
        NotLatin1 = -10_005,
        /// `Content-Length` beside `Transfer-Encoding`.
        LengthAndCoding = -10_006,
        /// `Content-Length` disagrees with the body.
        LengthMismatch = -10_007,
        /// `Trailer` without chunked coding.
        Trailer = -10_008,
        /// The message reaches the limit.
        Large = -10_009,
        /// The slab has no room; how much is needed is in `Total`.
        NoRoom = -10_010,
        /// This platform has no descriptors to send on.
        Unsupported = -10_011,
        /// There is no memory for the message.
        NoMemory = -10_012,
    }
}

impl From<Outcome> for i32 {
    fn from(outcome: Outcome) -> Self {
        outcome as i32
    }
}

/// The bound arrays.
pub struct Registers {
    /// Invariant: null, or the first of `REGISTERS.len()` doubles in an array that
    /// JavaScript keeps for itself and that `keep` holds.
    base: *mut f64,
    /// Invariant: the first of `lengths_room` numbers, likewise.
    lengths: *const u32,
    lengths_room: usize,
    keep: [sys::napi_ref; 2],
}

impl Default for Registers {
    fn default() -> Self {
        Self {
            base: ptr::null_mut(),
            lengths: ptr::null(),
            lengths_room: 0,
            keep: [ptr::null_mut(); 2],
        }
    }
}

impl Registers {
    /// The value of a register; 0 before `bind`.
    #[inline]
    pub fn get(&self, register: Register) -> f64 {
        if self.base.is_null() {
            return 0.0;
        }
        // SAFETY: `base` points at `REGISTERS.len()` doubles and a `Register` is
        // always less than that.
        unsafe { *self.base.add(register as usize) }
    }

    /// Sets a register; nothing before `bind`.
    #[inline]
    pub fn set(&self, register: Register, value: f64) {
        if !self.base.is_null() {
            // SAFETY: as in `get`.
            unsafe { *self.base.add(register as usize) = value }
        }
    }

    /// The lengths of names and values, as many as `Count` says; `None` when
    /// the array is not as long.
    #[inline]
    pub fn lengths(&self) -> Option<&[u32]> {
        let count = self.count(Register::Count)?;
        if count == 0 {
            return Some(&[]);
        }
        if count > self.lengths_room as u64 {
            return None;
        }
        // SAFETY: `lengths` points at `lengths_room` numbers, which JavaScript
        // does not write while a call is under way.
        Some(unsafe { std::slice::from_raw_parts(self.lengths, count as usize) })
    }

    /// A register as a count; `None` below zero. Saturates above `u64`.
    #[inline]
    pub fn count(&self, register: Register) -> Option<u64> {
        let value = self.get(register);
        (value >= 0.0).then_some(value as u64)
    }

    /// The connection fields to add.
    #[inline]
    pub fn connection(&self) -> Connection {
        match self.get(Register::Connection) as u8 {
            1 => Connection::Close,
            2 => Connection::KeepAlive {
                timeout: self.count(Register::Timeout),
                max: self.count(Register::Max),
            },
            _ => Connection::Absent,
        }
    }

    /// The length or coding field to add.
    #[inline]
    pub fn length(&self) -> Length {
        match self.count(Register::Length) {
            Some(length) => Length::Octets(length),
            None if self.get(Register::Length) == -2.0 => Length::Chunked,
            None => Length::Absent,
        }
    }
}

/// `bind(registers: Float64Array, lengths: Uint32Array) -> boolean`: takes the
/// arrays, which must never be transferred; may be called again with larger
/// ones. False, with nothing changed, when one is of another kind or too small.
pub unsafe extern "C" fn bind(
    env: sys::napi_env,
    info: sys::napi_callback_info,
) -> sys::napi_value {
    // SAFETY: Node calls this with the data pointer that `register` gave it.
    let Some(mut call) = (unsafe { Call::<2>::new(env, info) }) else {
        return ptr::null_mut();
    };
    let [doubles, numbers] = call.arguments;
    let bound = bound(env, doubles, numbers);
    let done = bound.is_some();
    if let Some(bound) = bound {
        let old = std::mem::replace(&mut call.environment().registers, bound);
        for reference in old.keep.into_iter().filter(|keep| !keep.is_null()) {
            values::release(env, reference);
        }
    }
    values::boolean(env, done)
}

fn bound(
    env: sys::napi_env,
    doubles: sys::napi_value,
    numbers: sys::napi_value,
) -> Option<Registers> {
    let (base, room) = values::doubles(env, doubles)?;
    let (lengths, lengths_room) = values::numbers(env, numbers)?;
    if room < REGISTERS.len() {
        return None;
    }
    let doubles = values::keep(env, doubles)?;
    let Some(numbers) = values::keep(env, numbers) else {
        values::release(env, doubles);
        return None;
    };
    Some(Registers {
        base,
        lengths,
        lengths_room,
        keep: [doubles, numbers],
    })
}

/// Exports `registers` and `outcomes`, so that each number is written once.
pub fn export_constants(env: sys::napi_env, exports: sys::napi_value) -> Result<()> {
    values::export_numbers(env, exports, c"registers", REGISTERS)?;
    values::export_numbers(env, exports, c"outcomes", OUTCOMES)
}
