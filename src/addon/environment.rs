//! What one environment keeps between calls. Nothing is shared between the
//! main thread and workers.

use std::ffi::c_void;

use napi::bindgen_prelude::Result;
use napi::sys;

use super::registers::Registers;
use super::values::check;
use crate::wire::date;

/// Bytes of scratch memory that are kept from call to call.
const KEPT: usize = 1 << 20;

/// The state of one environment, reached through the data pointer of each
/// exported function.
#[derive(Default)]
pub struct Environment {
    /// The numbers of the call under way; bound by `bind`.
    pub registers: Registers,
    /// The last rendered date.
    pub dates: date::Cache,
    /// Where text is read and a message to be sent is put together. It is never
    /// seen by JavaScript; `shrink` bounds what stays of it.
    pub scratch: Vec<u8>,
    /// UTF-16 units of a string that is checked before it becomes latin1.
    pub units: Vec<u16>,
    /// The engine, once it is started. It lives until the environment has ended.
    #[cfg(unix)]
    pub engine: Option<std::ptr::NonNull<super::engine::Engine>>,
}

impl Environment {
    /// Makes the state of `env` and has it freed with the environment.
    pub fn attach(env: sys::napi_env) -> Result<*mut Environment> {
        let data = Box::into_raw(Box::<Environment>::default());
        // SAFETY: `env` is the live environment of this module's registration,
        // and `detach` takes the pointer back as the box that it came from.
        check(unsafe { sys::napi_add_env_cleanup_hook(env, Some(detach), data.cast()) })?;
        Ok(data)
    }

    /// Gives back the memory that an uncommonly large call took.
    pub fn shrink(&mut self) {
        if self.scratch.len() > KEPT {
            self.scratch = Vec::new();
        }
        if self.units.len() > KEPT / 2 {
            self.units = Vec::new();
        }
    }
}

unsafe extern "C" fn detach(data: *mut c_void) {
    // SAFETY: the pointer is the one that `attach` gave to the hook, which runs
    // once, after the last call from JavaScript.
    drop(unsafe { Box::from_raw(data.cast::<Environment>()) });
}
