//! The functions of libuv that the engine calls. They are resolved at run time,
//! never linked: where one is missing, the rest of the addon loads still.

use std::ffi::{c_int, c_void, CStr};
use std::ptr;
use std::sync::OnceLock;

/// `uv_poll_t` and `uv_loop_t`, whose layout is libuv's.
pub type Handle = *mut c_void;
pub type Loop = *mut c_void;
pub type PollCallback = unsafe extern "C" fn(handle: Handle, status: c_int, events: c_int);
pub type CloseCallback = unsafe extern "C" fn(handle: Handle);

/// `UV_READABLE`.
pub const READABLE: c_int = 1;

/// `UV_POLL` of `uv_handle_type`.
const POLL: c_int = 8;

macro_rules! functions {
    ($($name:ident = $symbol:literal: fn($($argument:ty),*) $(-> $result:ty)?,)*) => {
        /// The functions, by what the engine calls them for.
        pub struct Functions {
            $(pub $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        fn resolve() -> Option<Functions> {
            Some(Functions {
                $($name: {
                    let found = symbol($symbol)?;
                    // SAFETY: libuv's function of this name has this signature
                    // in every version that Node.js 20 and later has.
                    unsafe {
                        std::mem::transmute::<
                            *mut c_void,
                            unsafe extern "C" fn($($argument),*) $(-> $result)?,
                        >(found)
                    }
                },)*
            })
        }
    };
}

functions! {
    poll_init = c"uv_poll_init": fn(Loop, Handle, c_int) -> c_int,
    poll_start = c"uv_poll_start": fn(Handle, c_int, PollCallback) -> c_int,
    close = c"uv_close": fn(Handle, CloseCallback),
    reference = c"uv_ref": fn(Handle),
    unref = c"uv_unref": fn(Handle),
    handle_size = c"uv_handle_size": fn(c_int) -> usize,
    handle_set_data = c"uv_handle_set_data": fn(Handle, *mut c_void),
    handle_get_data = c"uv_handle_get_data": fn(Handle) -> *mut c_void,
}

fn symbol(name: &CStr) -> Option<*mut c_void> {
    // SAFETY: `name` ends in NUL; the default handle means the whole process.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    (!found.is_null()).then_some(found)
}

/// The functions of the libuv in this process; `None` where one is missing.
pub fn functions() -> Option<&'static Functions> {
    static FUNCTIONS: OnceLock<Option<Functions>> = OnceLock::new();
    FUNCTIONS.get_or_init(resolve).as_ref()
}

/// A `uv_poll_t`. libuv has its address from `open` until its close callback.
pub struct Poll {
    functions: &'static Functions,
    handle: Handle,
}

impl Poll {
    /// Watches `descriptor` in `event_loop`, without keeping the loop alive.
    ///
    /// # Safety
    ///
    /// `event_loop` must be the live loop of this thread, `descriptor` stay open
    /// until the handle is closed, and `data` be what `callback` expects.
    pub unsafe fn open(
        event_loop: Loop,
        descriptor: i32,
        data: *mut c_void,
        callback: PollCallback,
    ) -> Result<Self, String> {
        let functions = functions().ok_or("this runtime does not export libuv")?;
        // SAFETY: asks for a number.
        let size = unsafe { (functions.handle_size)(POLL) };
        let words = size.div_ceil(size_of::<u64>());
        let handle: Handle = Box::into_raw(vec![0_u64; words].into_boxed_slice()).cast();
        // SAFETY: `handle` has the size that libuv asked for; the rest is the caller's promise.
        if unsafe { (functions.poll_init)(event_loop, handle, descriptor) } != 0 {
            // SAFETY: libuv does not have the address, as the call failed.
            unsafe { free(handle, words) };
            return Err("libuv does not watch the set of descriptors".into());
        }
        // SAFETY: `handle` was initialised just now.
        unsafe {
            (functions.handle_set_data)(handle, data);
            (functions.poll_start)(handle, READABLE, callback);
            (functions.unref)(handle);
        }
        Ok(Self { functions, handle })
    }

    /// Whether the watch keeps the loop alive.
    pub fn hold(&self, holds: bool) {
        let change = if holds {
            self.functions.reference
        } else {
            self.functions.unref
        };
        // SAFETY: the handle is open as long as `self` is.
        unsafe { change(self.handle) };
    }

    /// Closes the handle; libuv calls `callback` with it from its loop.
    pub fn close(self, callback: CloseCallback) {
        // SAFETY: the handle is open, and `self` is gone afterwards.
        unsafe { (self.functions.close)(self.handle, callback) };
    }
}

/// The data of a handle, as given to [`Poll::open`].
///
/// # Safety
///
/// `handle` must be that of a [`Poll`] that has not been freed.
pub unsafe fn data(handle: Handle) -> *mut c_void {
    match functions() {
        // SAFETY: the caller's promise.
        Some(functions) => unsafe { (functions.handle_get_data)(handle) },
        None => ptr::null_mut(),
    }
}

/// Frees a closed handle.
///
/// # Safety
///
/// `handle` must be that of a [`Poll`], in its close callback.
pub unsafe fn free_closed(handle: Handle) {
    if let Some(functions) = functions() {
        // SAFETY: asks for a number.
        let size = unsafe { (functions.handle_size)(POLL) };
        // SAFETY: the caller's promise.
        unsafe { free(handle, size.div_ceil(size_of::<u64>())) };
    }
}

unsafe fn free(handle: Handle, words: usize) {
    let memory = ptr::slice_from_raw_parts_mut(handle.cast::<u64>(), words);
    // SAFETY: the caller's promise; this is the box that `Poll::open` made.
    drop(unsafe { Box::from_raw(memory) });
}
