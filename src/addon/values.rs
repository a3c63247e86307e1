//! Thin, checked wrappers of the Node-API calls that the hot functions use.

use std::ffi::{c_void, CStr};
use std::ptr;

use napi::bindgen_prelude::{Error, Result, Status};
use napi::sys;

use super::environment::Environment;
use super::Function;

/// A Node-API status as a `Result`.
pub fn check(status: sys::napi_status) -> Result<()> {
    if status == sys::Status::napi_ok {
        Ok(())
    } else {
        Err(Error::from_status(Status::from(status)))
    }
}

/// One call from JavaScript: its first `N` arguments (missing ones are
/// `undefined`) and the state of the environment.
pub struct Call<const N: usize> {
    /// The arguments.
    pub arguments: [sys::napi_value; N],
    environment: ptr::NonNull<Environment>,
}

impl<const N: usize> Call<N> {
    /// Reads the call.
    ///
    /// # Safety
    ///
    /// The function must have been exported by [`export`] with the pointer that
    /// [`Environment::attach`] returned for this very environment.
    #[inline]
    pub unsafe fn new(env: sys::napi_env, info: sys::napi_callback_info) -> Option<Self> {
        let mut arguments = [ptr::null_mut(); N];
        let mut count = N;
        let mut data = ptr::null_mut::<c_void>();
        // SAFETY: the out pointers are live and `count` is the room of `arguments`.
        let status = unsafe {
            sys::napi_get_cb_info(
                env,
                info,
                &mut count,
                arguments.as_mut_ptr(),
                ptr::null_mut(),
                &mut data,
            )
        };
        let environment = ptr::NonNull::new(data.cast::<Environment>())?;
        (status == sys::Status::napi_ok).then_some(Self {
            arguments,
            environment,
        })
    }

    /// The state of the environment. No call into JavaScript may happen while
    /// the borrow lives.
    #[inline]
    pub fn environment(&mut self) -> &mut Environment {
        // SAFETY: the pointer is the live box of `Environment::attach`; an
        // environment runs on one thread, the exported functions never call
        // into JavaScript, so that no second borrow can be made beside this one.
        unsafe { self.environment.as_mut() }
    }
}

/// The length of a string in UTF-16 units; `None` for another value.
#[inline]
pub fn string_length(env: sys::napi_env, value: sys::napi_value) -> Option<usize> {
    let mut length = 0;
    // SAFETY: without a buffer only the length is written.
    let status =
        unsafe { sys::napi_get_value_string_latin1(env, value, ptr::null_mut(), 0, &mut length) };
    (status == sys::Status::napi_ok).then_some(length)
}

macro_rules! read {
    ($(#[$doc:meta])* $name:ident, $call:ident, $unit:ty, $raw:ty) => {
        $(#[$doc])*
        ///
        /// One unit of `target` is needed for a terminator. Returns how many
        /// units were written; `None` for a value that is no string.
        #[inline]
        pub fn $name(env: sys::napi_env, value: sys::napi_value, target: &mut [$unit]) -> Option<usize> {
            let mut length = 0;
            // SAFETY: the call writes at most `target.len()` units, its
            // terminator included.
            let status = unsafe {
                sys::$call(env, value, target.as_mut_ptr().cast::<$raw>(), target.len(), &mut length)
            };
            (status == sys::Status::napi_ok).then_some(length)
        }
    };
}

read!(
    /// Reads a string as latin1; units over U+00FF lose their high byte.
    read_latin1, napi_get_value_string_latin1, u8, _
);
read!(
    /// Reads a string as UTF-8; lone surrogates become U+FFFD.
    read_utf8, napi_get_value_string_utf8, u8, _
);
read!(
    /// Reads a string as UTF-16.
    read_utf16, napi_get_value_string_utf16, u16, _
);

/// Base and length of a typed array if it is of `kind`. The base may be null
/// when the length is zero.
#[inline]
fn typed_array(
    env: sys::napi_env,
    value: sys::napi_value,
    kind: sys::napi_typedarray_type,
) -> Option<(*mut c_void, usize)> {
    let (mut found, mut length, mut data) = (0, 0, ptr::null_mut());
    // SAFETY: the out pointers are live; nothing else is asked for.
    let status = unsafe {
        sys::napi_get_typedarray_info(
            env,
            value,
            &mut found,
            &mut length,
            &mut data,
            ptr::null_mut(),
            ptr::null_mut(),
        )
    };
    (status == sys::Status::napi_ok && found == kind).then_some((data, length))
}

/// Base and length of a `Float64Array`.
pub fn doubles(env: sys::napi_env, value: sys::napi_value) -> Option<(*mut f64, usize)> {
    let (data, length) = typed_array(env, value, sys::TypedarrayType::float64_array)?;
    (!data.is_null()).then_some((data.cast(), length))
}

/// Base and length of a `Uint32Array`.
pub fn numbers(env: sys::napi_env, value: sys::napi_value) -> Option<(*const u32, usize)> {
    let (data, length) = typed_array(env, value, sys::TypedarrayType::uint32_array)?;
    (!data.is_null()).then_some((data.cast_const().cast(), length))
}

/// Memory of a `Uint8Array`, fetched anew at each crossing: that of a
/// transferred array is empty.
#[derive(Clone, Copy)]
pub struct Range {
    base: *mut u8,
    length: usize,
}

/// The memory of a `Uint8Array` from `offset` on; `None` for another value or
/// an offset beyond the end.
#[inline]
pub fn range_from(env: sys::napi_env, value: sys::napi_value, offset: usize) -> Option<Range> {
    let (data, length) = typed_array(env, value, sys::TypedarrayType::uint8_array)?;
    let length = length.checked_sub(offset)?;
    Some(Range {
        base: data.cast::<u8>().wrapping_add(offset),
        length: if data.is_null() { 0 } else { length },
    })
}

impl Range {
    /// Length in bytes.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether a byte belongs to both.
    pub fn overlaps(&self, other: &Range) -> bool {
        let (a, b) = (self.base as usize, other.base as usize);
        let both_hold_bytes = self.length > 0 && other.length > 0;
        both_hold_bytes && a < b.saturating_add(other.length) && b < a.saturating_add(self.length)
    }

    /// The bytes.
    ///
    /// # Safety
    ///
    /// The array must stay alive and nothing may write to it while the slice
    /// is in use: not beyond the call, and not across a call into JavaScript.
    #[inline]
    pub unsafe fn as_slice<'a>(self) -> &'a [u8] {
        if self.length == 0 {
            return &[];
        }
        // SAFETY: Node-API reported `length` bytes at `base`; the rest is the
        // caller's promise.
        unsafe { std::slice::from_raw_parts(self.base, self.length) }
    }

    /// The bytes, to write into.
    ///
    /// # Safety
    ///
    /// As [`Range::as_slice`], and no other slice may overlap this one.
    #[inline]
    pub unsafe fn as_mut_slice<'a>(self) -> &'a mut [u8] {
        if self.length == 0 {
            return &mut [];
        }
        // SAFETY: as in `as_slice`.
        unsafe { std::slice::from_raw_parts_mut(self.base, self.length) }
    }
}

/// Makes `memory` at least `length` long; false, with nothing changed, when
/// there is no memory for that.
#[inline]
pub fn grow<T: Clone + Default>(memory: &mut Vec<T>, length: usize) -> bool {
    let Some(more) = length.checked_sub(memory.len()) else {
        return true;
    };
    if memory.try_reserve_exact(more).is_err() {
        return false;
    }
    memory.resize(length, T::default());
    true
}

/// A JavaScript number; null if it cannot be made, which reads as `undefined`.
#[inline]
pub fn number(env: sys::napi_env, value: f64) -> sys::napi_value {
    let mut result = ptr::null_mut();
    // SAFETY: the out pointer is live; on failure it stays null.
    unsafe { sys::napi_create_double(env, value, &mut result) };
    result
}

/// A JavaScript string from latin1 bytes; null if it cannot be made.
pub fn latin1_string(env: sys::napi_env, text: &[u8]) -> sys::napi_value {
    let mut result = ptr::null_mut();
    // SAFETY: pointer and length are those of `text`; on failure the result stays null.
    unsafe {
        sys::napi_create_string_latin1(env, text.as_ptr().cast(), text.len() as isize, &mut result)
    };
    result
}

/// A JavaScript boolean; null if it cannot be made.
pub fn boolean(env: sys::napi_env, value: bool) -> sys::napi_value {
    let mut result = ptr::null_mut();
    // SAFETY: the out pointer is live; on failure it stays null.
    unsafe { sys::napi_get_boolean(env, value, &mut result) };
    result
}

/// The JavaScript null; null if it cannot be had, which reads as `undefined`.
pub fn null(env: sys::napi_env) -> Option<sys::napi_value> {
    let mut result = ptr::null_mut();
    // SAFETY: the out pointer is live.
    let status = unsafe { sys::napi_get_null(env, &mut result) };
    (status == sys::Status::napi_ok).then_some(result)
}

/// A number as an integer; `None` for another value.
#[inline]
pub fn integer(env: sys::napi_env, value: sys::napi_value) -> Option<i32> {
    let mut result = 0;
    // SAFETY: the out pointer is live.
    let status = unsafe { sys::napi_get_value_int32(env, value, &mut result) };
    (status == sys::Status::napi_ok).then_some(result)
}

/// A boolean; `None` for another value.
#[inline]
pub fn truth(env: sys::napi_env, value: sys::napi_value) -> Option<bool> {
    let mut result = false;
    // SAFETY: the out pointer is live.
    let status = unsafe { sys::napi_get_value_bool(env, value, &mut result) };
    (status == sys::Status::napi_ok).then_some(result)
}

/// A strong reference to `value`.
pub fn keep(env: sys::napi_env, value: sys::napi_value) -> Option<sys::napi_ref> {
    let mut reference = ptr::null_mut();
    // SAFETY: the out pointer is live.
    let status = unsafe { sys::napi_create_reference(env, value, 1, &mut reference) };
    (status == sys::Status::napi_ok).then_some(reference)
}

/// Gives a reference of [`keep`] back.
pub fn release(env: sys::napi_env, reference: sys::napi_ref) {
    // SAFETY: `reference` came from `keep` and is not used again.
    unsafe { sys::napi_delete_reference(env, reference) };
}

/// Exports `function` under `name`; `data` reaches it through [`Call`].
pub fn export(
    env: sys::napi_env,
    exports: sys::napi_value,
    name: &CStr,
    function: Function,
    data: *mut c_void,
) -> Result<()> {
    let mut value = ptr::null_mut();
    // SAFETY: `name` is NUL-terminated and its length is given; `data` outlives
    // the function (`Environment::attach`).
    check(unsafe {
        sys::napi_create_function(
            env,
            name.as_ptr(),
            name.count_bytes() as isize,
            Some(function),
            data,
            &mut value,
        )
    })?;
    // SAFETY: both values belong to the open handle scope of the registration.
    check(unsafe { sys::napi_set_named_property(env, exports, name.as_ptr(), value) })
}

/// Exports an object of integers under `name`.
pub fn export_numbers(
    env: sys::napi_env,
    exports: sys::napi_value,
    name: &CStr,
    entries: &[(&str, i32)],
) -> Result<()> {
    let mut object = ptr::null_mut();
    // SAFETY: the out pointer is live.
    check(unsafe { sys::napi_create_object(env, &mut object) })?;
    for &(key, value) in entries {
        let (key, value) = (
            latin1_string(env, key.as_bytes()),
            number(env, f64::from(value)),
        );
        // SAFETY: all values belong to the open handle scope.
        check(unsafe { sys::napi_set_property(env, object, key, value) })?;
    }
    // SAFETY: as above.
    check(unsafe { sys::napi_set_named_property(env, exports, name.as_ptr(), object) })
}
