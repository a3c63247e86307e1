//! The only place that touches Node-API: values in, numbers out.
//!
//! The hot functions are raw Node-API on purpose. Arrays of `String` through
//! the derive macros take ten times as long; here one joined string crosses,
//! numbers stand in a shared array of registers ([`registers`]), and a number
//! comes back.

mod body;
mod build;
mod clock;
#[cfg(unix)]
mod engine;
mod environment;
mod registers;
mod send;
mod values;

use napi::bindgen_prelude::{Object, Result};
use napi::{sys, Env, JsValue};
use napi_derive::napi;

use environment::Environment;

/// Defines the exports in one environment (the main thread or a worker).
#[napi(module_exports)]
pub fn register(exports: Object<'_>, env: Env) -> Result<()> {
    let (env, exports) = (env.raw(), exports.raw());
    let data = Environment::attach(env)?;
    for (name, function) in [
        (c"bind", registers::bind as Function),
        (c"send", send::send),
        (c"sendFramed", send::send_framed),
        (c"renderHead", send::render_head),
        (c"second", clock::second),
        (c"build", build::build),
    ] {
        values::export(env, exports, name, function, data.cast())?;
    }
    #[cfg(unix)]
    {
        for &(name, function) in engine::calls::FUNCTIONS {
            values::export(env, exports, name, function, data.cast())?;
        }
        engine::calls::export_constants(env, exports)?;
    }
    registers::export_constants(env, exports)
}

/// A raw Node-API function.
type Function = unsafe extern "C" fn(sys::napi_env, sys::napi_callback_info) -> sys::napi_value;
