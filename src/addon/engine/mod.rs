//! The engine's loop: libuv says when a borrowed descriptor is ready, JavaScript
//! is called once, and takes one request after the other.
//!
//! No Rust borrow is held across a call into JavaScript: a handler may adopt,
//! let go, close or end the process meanwhile.

use std::ffi::{c_int, c_void};
use std::ptr;

use napi::sys;

use super::values;
use crate::pump::{self, Found, Pump, Slot};
use crate::request::{self, Body, Field, Method, Reason, Span};
use crate::shapes::Shapes;
use crate::syscall;

pub mod calls;
mod uv;

/// Places in the array of marks that JavaScript reads after `take`, and the bytes
/// of a full read.
pub const MARKS: &[(&str, i32)] = &[
    ("Slot", SLOT as i32),
    ("Read", READ as i32),
    ("Reason", REASON as i32),
    ("Errno", ERRNO as i32),
    ("Full", crate::pump::READ as i32),
    ("Rest", REST as i32),
    ("RestStart", REST_START as i32),
    ("Base", BASE as i32),
    ("More", MORE as i32),
    ("HangUp", HANG_UP as i32),
    ("Method", METHOD as i32),
    ("TargetStart", TARGET as i32),
    ("TargetEnd", TARGET as i32 + 1),
    ("Persists", PERSISTS as i32),
    ("Fields", FIELDS as i32),
    ("Shape", SHAPE as i32),
    ("Pieces", PIECES as i32),
    ("Spans", SPANS as i32),
];

/// The connection.
const SLOT: usize = 0;
/// Bytes of the read that this request is the first of; 0 behind the first.
const READ: usize = 1;
/// Why the connection goes back to Node; a [`Reason`], or one of the two below.
const REASON: usize = 2;
/// Errno of a failed read.
const ERRNO: usize = 3;
/// Bytes of the read behind this request; with a reason, all that Node is to get.
const REST: usize = 4;
/// Whether another connection is ready.
const MORE: usize = 5;
/// Place of the method in [`request::Method::NAMES`].
const METHOD: usize = 6;
/// Start and end of the target in the head.
const TARGET: usize = 7;
/// Whether the connection persists.
const PERSISTS: usize = 9;
/// How many fields there are.
const FIELDS: usize = 10;
/// How many pieces the body came in.
const PIECES: usize = 11;
/// Where the rest starts behind what was taken.
const REST_START: usize = 12;
/// The number of the sequence of field names; 0 if it has none.
const SHAPE: usize = 13;
/// Whether the connection is gone in both directions behind this read.
const HANG_UP: usize = 14;
/// Where what was taken starts in the read.
const BASE: usize = 15;
/// Start and end of name and value of each field in the head, then start and end
/// of each piece of the body in the request.
const SPANS: usize = 16;

/// Why a connection goes back to Node, by the names of the counters.
pub const REASONS: &[(&str, i32)] = &[
    ("ended", ENDED),
    ("failed", FAILED),
    reason(Reason::Partial),
    reason(Reason::Large),
    reason(Reason::Method),
    reason(Reason::Target),
    reason(Reason::Version),
    reason(Reason::Field),
    reason(Reason::Framing),
    reason(Reason::Upgrade),
    reason(Reason::Expect),
    reason(Reason::Connection),
    reason(Reason::Chunk),
    reason(Reason::Trailers),
];

const fn reason(reason: Reason) -> (&'static str, i32) {
    (reason.name(), reason as i32)
}

/// The peer sends no more.
const ENDED: i32 = 1000;
/// The read failed.
const FAILED: i32 = 1001;

/// The part of a read that has not been taken.
#[derive(Default)]
struct Rest {
    limit: usize,
    fields: usize,
    /// Where the last request taken starts, and the next one.
    base: usize,
    start: usize,
    end: usize,
}

/// One environment's engine. libuv has its address until its handle is closed.
pub struct Engine {
    env: sys::napi_env,
    pump: Pump,
    poll: Option<uv::Poll>,
    dispatch: sys::napi_ref,
    /// Invariant: the first of `room` numbers in an array that JavaScript keeps
    /// for itself and that a reference of `start` holds.
    marks: *mut u32,
    room: usize,
    /// The last read. Invariant: the memory of an array of [`pump::READ`] bytes
    /// that JavaScript keeps for itself and that a reference of `start` holds.
    /// JavaScript reads it between the calls of the engine, and writes nothing.
    input: values::Range,
    cleanup: sys::napi_async_cleanup_hook_handle,
    rest: Rest,
    /// The connection whose answers the kernel gathers: its place and descriptor.
    corked: Option<(u32, i32)>,
    fields: Vec<Field>,
    pieces: Vec<Span>,
    shapes: Shapes,
    /// Whether Node knows the method of this number.
    knows: [bool; Method::NAMES.len()],
}

/// What [`Engine::take`] came upon.
pub enum Taken<'a> {
    /// A whole request; its head.
    Request(&'a [u8]),
    /// A connection that goes back to Node.
    Leave,
}

impl Engine {
    /// Starts the engine of an environment: `dispatch` is called when a
    /// connection is ready, and takes requests until there are none, whose bytes
    /// are in `input`. At the place of each method in `marks` stands whether Node
    /// knows it.
    pub fn start(
        env: sys::napi_env,
        [dispatch, marks, input]: [sys::napi_value; 3],
        ends_on_hang_up: bool,
    ) -> Result<ptr::NonNull<Engine>, String> {
        let failed = || String::from("Node-API refuses what the engine asks for");
        let (base, room) = values::numbers(env, marks).ok_or_else(failed)?;
        let memory = values::range_from(env, input, 0).ok_or_else(failed)?;
        let mut knows = [false; Method::NAMES.len()];
        if room < SPANS.max(knows.len()) || memory.len() != pump::READ {
            return Err(failed());
        }
        for (place, knows) in knows.iter_mut().enumerate() {
            // SAFETY: the array has `room` numbers, more than there are methods.
            *knows = unsafe { *base.add(place) } == 1;
        }
        let pump = Pump::new(ends_on_hang_up)
            .map_err(|error| format!("no set of descriptors: {error}"))?;
        let mut event_loop = ptr::null_mut();
        // SAFETY: the out pointer is live.
        values::check(unsafe { sys::napi_get_uv_event_loop(env, &mut event_loop) })
            .map_err(|_| failed())?;
        let kept = keep_all(env, [dispatch, marks, input]).ok_or_else(failed)?;
        let descriptor = pump.descriptor();
        let engine = Box::into_raw(Box::new(Engine {
            env,
            pump,
            poll: None,
            dispatch: kept[0],
            marks: base.cast_mut(),
            room,
            input: memory,
            cleanup: ptr::null_mut(),
            rest: Rest::default(),
            corked: None,
            fields: Vec::new(),
            pieces: Vec::new(),
            shapes: Shapes::default(),
            knows,
        }));
        // SAFETY: the loop is that of this environment's thread; the engine,
        // and with it the descriptor, is freed in the close callback.
        let opened =
            unsafe { uv::Poll::open(event_loop.cast(), descriptor, engine.cast(), on_readable) };
        // SAFETY: made just now; nobody else has it before the loop runs.
        let borrowed = unsafe { &mut *engine };
        match opened {
            Ok(poll) => borrowed.poll = Some(poll),
            Err(reason) => {
                for reference in kept {
                    values::release(env, reference);
                }
                // SAFETY: made above, and given to nobody.
                drop(unsafe { Box::from_raw(engine) });
                return Err(reason);
            }
        }
        // SAFETY: `stop` gets the engine, which lives until then.
        let added = unsafe {
            sys::napi_add_async_cleanup_hook(env, Some(stop), engine.cast(), &mut borrowed.cleanup)
        };
        if values::check(added).is_err() {
            borrowed.close();
            return Err(failed());
        }
        ptr::NonNull::new(engine).ok_or_else(failed)
    }

    /// Notes what is ready; the environment to call when something is.
    fn poll(&mut self) -> Option<sys::napi_env> {
        self.pump.poll().ok()?;
        self.pump.is_ready().then_some(self.env)
    }

    fn close(&mut self) {
        // A process that ends drops what has gathered where requests are left unread.
        self.uncork();
        if let Some(poll) = self.poll.take() {
            poll.close(on_closed);
        }
    }

    fn hold(&self) {
        if let Some(poll) = &self.poll {
            poll.hold(self.pump.is_held());
        }
    }

    /// Takes a connection in; its slot, or an errno negated.
    pub fn adopt(&mut self, slot: Slot) -> f64 {
        match self.pump.add(slot) {
            Ok(slot) => {
                self.hold();
                f64::from(slot)
            }
            Err(error) => -f64::from(syscall::errno(&error)),
        }
    }

    /// Has the kernel gather what is sent on a connection, until all ticks behind
    /// this read, or behind the batch, have run.
    pub fn cork(&mut self, slot: u32, descriptor: i32) {
        let corked = Some((slot, descriptor));
        if self.corked == corked {
            return;
        }
        self.uncork();
        pump::cork(descriptor, true);
        self.corked = corked;
    }

    /// Has the kernel send what it has gathered.
    pub fn uncork(&mut self) {
        if let Some((_, descriptor)) = self.corked.take() {
            pump::cork(descriptor, false);
        }
    }

    /// Lets a connection go.
    pub fn leave(&mut self, slot: u32) {
        if self.corked.is_some_and(|(corked, _)| corked == slot) {
            self.uncork();
        }
        self.pump.remove(slot);
        self.hold();
    }

    /// Stops reading a connection, or goes on. False when the system refuses.
    pub fn watch(&mut self, slot: u32, watched: bool) -> bool {
        let done = self.pump.watch(slot, watched).is_ok();
        self.hold();
        done
    }

    /// Says whether a connection keeps the process alive.
    pub fn hold_slot(&mut self, slot: u32, holds: bool) {
        self.pump.hold(slot, holds);
        self.hold();
    }

    fn mark(&mut self, place: usize, value: u32) {
        debug_assert!(place < self.room);
        // SAFETY: `marks` points at `room` numbers, and each caller's place is
        // less than `SPANS` or was checked against `room`.
        unsafe { *self.marks.add(place) = value }
    }

    /// The next request, or connection that goes back to Node; `None` when
    /// nothing is ready any more.
    pub fn take(&mut self) -> Option<Taken<'_>> {
        if self.rest.start < self.rest.end {
            self.mark(READ, 0);
        } else {
            self.uncork();
            // SAFETY: no other slice of the read is in use, nor does JavaScript run.
            let input = unsafe { self.input.as_mut_slice() };
            let (slot, settings, found) = self.pump.read_next(input)?;
            self.mark(SLOT, slot);
            self.mark(MORE, u32::from(self.pump.is_ready()));
            self.mark(READ, 0);
            self.mark(HANG_UP, 0);
            let (count, hangs_up) = match found {
                Found::Bytes { count, hangs_up } => (count, hangs_up),
                Found::Ended => return Some(self.leave_for(ENDED, 0)),
                Found::Failed(errno) => return Some(self.leave_for(FAILED, errno)),
            };
            self.mark(READ, count as u32);
            self.mark(HANG_UP, u32::from(hangs_up));
            self.rest = Rest {
                limit: settings.limit,
                fields: settings.fields,
                base: 0,
                start: 0,
                end: count,
            };
        }
        Some(self.parse())
    }

    fn leave_for(&mut self, reason: i32, errno: i32) -> Taken<'static> {
        self.rest.end = self.rest.end.max(self.rest.start);
        self.mark(REASON, reason as u32);
        self.mark(ERRNO, errno as u32);
        self.mark(REST, (self.rest.end - self.rest.start) as u32);
        self.mark(REST_START, 0);
        self.mark(BASE, self.rest.base as u32);
        Taken::Leave
    }

    fn parse(&mut self) -> Taken<'_> {
        let Rest {
            limit,
            fields: most_fields,
            start,
            end,
            ..
        } = self.rest;
        self.rest.base = start;
        // SAFETY: nothing writes to the read while the slice is in use, nor does
        // JavaScript run before the head is copied.
        let read = unsafe { self.input.as_slice() };
        let input = read.get(start..end).unwrap_or_default();
        let request = match request::parse(input, limit, &mut self.fields, &mut self.pieces) {
            Ok(request) if self.knows[request.method as usize] => request,
            Ok(_) => return self.leave_for(Reason::Method as i32, 0),
            Err(reason) => return self.leave_for(reason as i32, 0),
        };
        match request.body {
            Body::Length(span) if span.start < span.end => self.pieces.push(span),
            _ => {}
        }
        let room = SPANS + 4 * self.fields.len() + 2 * self.pieces.len();
        if self.fields.len() > most_fields || room > self.room {
            return self.leave_for(Reason::Large as i32, 0);
        }
        let shape = self.shapes.number(input, &self.fields).unwrap_or(0);
        self.rest.start = start + request.length as usize;
        self.mark(REST, (end - self.rest.start) as u32);
        self.mark(REST_START, request.length);
        self.mark(BASE, start as u32);
        self.mark(METHOD, request.method as u32);
        self.mark(TARGET, request.target.start);
        self.mark(TARGET + 1, request.target.end);
        self.mark(PERSISTS, u32::from(request.persists));
        self.mark(FIELDS, self.fields.len() as u32);
        self.mark(SHAPE, shape);
        self.mark(PIECES, self.pieces.len() as u32);
        // SAFETY: `marks` points at `room` numbers, of which as many as the
        // spans need were found to be there.
        let spans = unsafe { std::slice::from_raw_parts_mut(self.marks, self.room) };
        let fields = self
            .fields
            .iter()
            .flat_map(|field| [field.name, field.value]);
        let all = fields.chain(self.pieces.iter().copied());
        for (pair, span) in spans[SPANS..].chunks_exact_mut(2).zip(all) {
            pair[0] = span.start;
            pair[1] = span.end;
        }
        let head = start..start + request.head as usize;
        Taken::Request(read.get(head).unwrap_or_default())
    }

    /// Reads a descriptor that was let go. The number of bytes, all of them rest;
    /// 0 for none, or an errno negated.
    pub fn read(&mut self, descriptor: i32) -> f64 {
        // SAFETY: as in `take`.
        let input = unsafe { self.input.as_mut_slice() };
        match pump::read(descriptor, input) {
            Ok(count) => {
                self.rest = Rest {
                    end: count,
                    ..Rest::default()
                };
                self.mark(REST, count as u32);
                self.mark(REST_START, 0);
                self.mark(BASE, 0);
                count as f64
            }
            Err(error) => -f64::from(syscall::errno(&error)),
        }
    }

    /// Forgets the rest of a read.
    pub fn skip(&mut self) {
        self.rest = Rest::default();
    }
}

/// References to all values, or to none.
fn keep_all<const N: usize>(
    env: sys::napi_env,
    values: [sys::napi_value; N],
) -> Option<[sys::napi_ref; N]> {
    let mut kept = [ptr::null_mut(); N];
    for (at, value) in values.into_iter().enumerate() {
        let Some(reference) = values::keep(env, value) else {
            for reference in &kept[..at] {
                values::release(env, *reference);
            }
            return None;
        };
        kept[at] = reference;
    }
    Some(kept)
}

/// Calls JavaScript until it has taken all that is ready.
unsafe extern "C" fn on_readable(handle: uv::Handle, _status: c_int, _events: c_int) {
    // SAFETY: libuv calls this with the handle whose data is the engine.
    let engine = unsafe { uv::data(handle) }.cast::<Engine>();
    // SAFETY: the engine lives until its handle is closed, which libuv does not
    // do within a callback; the borrow ends before JavaScript is called.
    let Some(env) = (unsafe { (*engine).poll() }) else {
        return;
    };
    let mut scope = ptr::null_mut();
    // SAFETY: the environment is live, this is its thread.
    if unsafe { sys::napi_open_handle_scope(env, &mut scope) } != sys::Status::napi_ok {
        return;
    }
    // SAFETY: as above.
    while unsafe { (*engine).pump.is_ready() } {
        // SAFETY: as above.
        let before = unsafe { (*engine).pump.taken };
        // SAFETY: as above; nothing of the engine is borrowed during the call.
        let goes_on = unsafe { dispatch(env, (*engine).dispatch) };
        // SAFETY: as above. A worker that is being terminated takes nothing.
        unsafe {
            if !goes_on || (*engine).pump.taken == before {
                (*engine).pump.forget();
            }
        }
    }
    // SAFETY: as above; `scope` was opened above.
    unsafe {
        (*engine).uncork();
        sys::napi_close_handle_scope(env, scope);
    }
}

/// One call of `dispatch`. False when no JavaScript can run any more.
unsafe fn dispatch(env: sys::napi_env, function: sys::napi_ref) -> bool {
    let (mut callee, mut receiver) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: the reference is that of `start`, and a handle scope is open.
    unsafe {
        sys::napi_get_reference_value(env, function, &mut callee);
        sys::napi_get_global(env, &mut receiver);
    }
    if callee.is_null() {
        return false;
    }
    // SAFETY: without a context the call has the async id 0, as libuv's own
    // callbacks before one is entered; the values belong to the open scope.
    let status = unsafe {
        sys::napi_make_callback(
            env,
            ptr::null_mut(),
            receiver,
            callee,
            0,
            ptr::null(),
            ptr::null_mut(),
        )
    };
    if status == sys::Status::napi_ok {
        return true;
    }
    let (mut thrown, mut kind) = (ptr::null_mut(), 0);
    // SAFETY: the out pointers are live.
    let cleared = unsafe {
        sys::napi_get_and_clear_last_exception(env, &mut thrown) == sys::Status::napi_ok
            && sys::napi_typeof(env, thrown, &mut kind) == sys::Status::napi_ok
    };
    if status != sys::Status::napi_pending_exception || !cleared {
        return false;
    }
    // What was uncaught has been dealt with, else it is that now.
    kind == sys::ValueType::napi_undefined || uncaught(env, thrown)
}

/// Has `error` be an uncaught exception, here and now. False when no JavaScript
/// can run any more.
pub fn uncaught(env: sys::napi_env, error: sys::napi_value) -> bool {
    // SAFETY: the value belongs to an open scope. The call is refused in an
    // environment that ends.
    !error.is_null() && unsafe { sys::napi_fatal_exception(env, error) } == sys::Status::napi_ok
}

/// The environment ends: no JavaScript is called any more.
unsafe extern "C" fn stop(_hook: sys::napi_async_cleanup_hook_handle, data: *mut c_void) {
    // SAFETY: the data is the engine, which lives until its handle is closed.
    unsafe { (*data.cast::<Engine>()).close() };
}

unsafe extern "C" fn on_closed(handle: uv::Handle) {
    // SAFETY: libuv calls this once, with the handle whose data is the engine,
    // and does not touch the handle afterwards.
    let engine = unsafe {
        let engine = Box::from_raw(uv::data(handle).cast::<Engine>());
        uv::free_closed(handle);
        engine
    };
    if !engine.cleanup.is_null() {
        // SAFETY: the hook is that of `start`, and has waited for this.
        unsafe { sys::napi_remove_async_cleanup_hook(engine.cleanup) };
    }
}
