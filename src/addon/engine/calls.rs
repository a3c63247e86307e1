//! The functions of the engine that JavaScript calls.

use std::ptr;

use napi::bindgen_prelude::Result;
use napi::sys;

use super::{Engine, Taken, MARKS, REASONS};
use crate::addon::values::{self, Call};
use crate::addon::Function;
use crate::pump::Slot;
use crate::request::Method;

/// The functions by name.
pub const FUNCTIONS: &[(&std::ffi::CStr, Function)] = &[
    (c"engineStart", start),
    (c"adopt", adopt),
    (c"leave", leave),
    (c"watch", watch),
    (c"hold", hold),
    (c"take", take),
    (c"read", read),
    (c"skip", skip),
    (c"cork", cork),
    (c"uncaught", uncaught),
];

/// Exports `marks`, `engineReasons` and `methods`.
pub fn export_constants(env: sys::napi_env, exports: sys::napi_value) -> Result<()> {
    values::export_numbers(env, exports, c"marks", MARKS)?;
    values::export_numbers(env, exports, c"engineReasons", REASONS)?;
    let methods: Vec<_> = (0..)
        .zip(Method::NAMES)
        .map(|(at, name)| (*name, at))
        .collect();
    values::export_numbers(env, exports, c"methods", &methods)
}

/// Calls `then` with the arguments and the engine of the call, if it was started.
fn with<const N: usize>(
    env: sys::napi_env,
    info: sys::napi_callback_info,
    then: impl FnOnce([sys::napi_value; N], &mut Engine) -> Option<sys::napi_value>,
) -> sys::napi_value {
    // SAFETY: Node calls the exported functions with the data pointer that
    // `register` gave them.
    let call = unsafe { Call::<N>::new(env, info) };
    let Some(mut call) = call else {
        return ptr::null_mut();
    };
    let arguments = call.arguments;
    let Some(mut engine) = call.environment().engine else {
        return ptr::null_mut();
    };
    // SAFETY: the engine lives until the environment has ended. `on_readable`
    // holds no borrow while it calls JavaScript, and `then` does not call any.
    then(arguments, unsafe { engine.as_mut() }).unwrap_or(ptr::null_mut())
}

/// `engineStart(dispatch: () => void, marks: Uint32Array, input: Uint8Array,
/// endsOnHangUp: boolean) -> string | undefined`: starts the engine; why it could
/// not be, else undefined.
unsafe extern "C" fn start(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    // SAFETY: as in `with`.
    let Some(mut call) = (unsafe { Call::<4>::new(env, info) }) else {
        return ptr::null_mut();
    };
    let [dispatch, marks, input, ends_on_hang_up] = call.arguments;
    let ends_on_hang_up = values::truth(env, ends_on_hang_up).unwrap_or(false);
    match Engine::start(env, [dispatch, marks, input], ends_on_hang_up) {
        Ok(engine) => {
            call.environment().engine = Some(engine);
            ptr::null_mut()
        }
        Err(reason) => values::latin1_string(env, reason.as_bytes()),
    }
}

/// `adopt(descriptor: number, limit: number, fields: number, holds: boolean) ->
/// number`: takes a connection in, whose heads have less than `limit` bytes and
/// at most `fields` fields; its slot, or an errno negated.
unsafe extern "C" fn adopt(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    with(env, info, |[descriptor, limit, fields, holds], engine| {
        let slot = Slot {
            descriptor: values::integer(env, descriptor)?,
            limit: usize::try_from(values::integer(env, limit)?).ok()?,
            fields: usize::try_from(values::integer(env, fields)?).ok()?,
            watched: true,
            holds: values::truth(env, holds)?,
        };
        Some(values::number(env, engine.adopt(slot)))
    })
}

/// `leave(slot: number)`: lets a connection go.
unsafe extern "C" fn leave(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    with(env, info, |[slot], engine| {
        engine.leave(slot_of(env, slot)?);
        None
    })
}

/// `watch(slot: number, watched: boolean) -> boolean`: stops reading a
/// connection, or goes on; false when the system refuses.
unsafe extern "C" fn watch(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    with(env, info, |[slot, watched], engine| {
        let done = engine.watch(slot_of(env, slot)?, values::truth(env, watched)?);
        Some(values::boolean(env, done))
    })
}

/// `hold(slot: number, holds: boolean)`: whether a connection keeps the process
/// alive while it is read.
unsafe extern "C" fn hold(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    with(env, info, |[slot, holds], engine| {
        engine.hold_slot(slot_of(env, slot)?, values::truth(env, holds)?);
        None
    })
}

/// `take() -> string | null | undefined`: the head of the next whole request,
/// described by the marks; null for a connection that goes back to Node,
/// undefined when nothing is ready.
unsafe extern "C" fn take(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    with(env, info, |[], engine| match engine.take()? {
        Taken::Request(head) => Some(values::latin1_string(env, head)),
        Taken::Leave => values::null(env),
    })
}

/// `read(descriptor: number) -> number`: reads a connection that was let go; the
/// number of bytes, which are the rest, 0 for none, or an errno negated.
unsafe extern "C" fn read(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    with(env, info, |[descriptor], engine| {
        let descriptor = values::integer(env, descriptor)?;
        Some(values::number(env, engine.read(descriptor)))
    })
}

/// `skip()`: forgets what has not been taken of a read.
unsafe extern "C" fn skip(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    with(env, info, |[], engine| {
        engine.skip();
        None
    })
}

/// `cork(slot: number, descriptor: number)`: has the kernel gather what is sent
/// on a connection until it has been served.
unsafe extern "C" fn cork(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    with(env, info, |[slot, descriptor], engine| {
        engine.cork(slot_of(env, slot)?, values::integer(env, descriptor)?);
        None
    })
}

/// `uncaught(error: unknown)`: has it be an uncaught exception, here and now.
unsafe extern "C" fn uncaught(
    env: sys::napi_env,
    info: sys::napi_callback_info,
) -> sys::napi_value {
    // SAFETY: as in `with`; the engine is not borrowed, for this runs JavaScript.
    if let Some(call) = unsafe { Call::<1>::new(env, info) } {
        let [error] = call.arguments;
        super::uncaught(env, error);
    }
    ptr::null_mut()
}

fn slot_of(env: sys::napi_env, value: sys::napi_value) -> Option<u32> {
    u32::try_from(values::integer(env, value)?).ok()
}
