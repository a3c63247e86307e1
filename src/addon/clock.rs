//! The clock of the `Date` field.

use std::time::{SystemTime, UNIX_EPOCH};

use napi::sys;

use super::values;

/// `second() -> number`: the second that it is, since 1970, UTC, by the system's
/// clock, which no program can put another in the place of.
pub unsafe extern "C" fn second(
    env: sys::napi_env,
    _info: sys::napi_callback_info,
) -> sys::napi_value {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    values::number(env, now.map_or(0.0, |since| since.as_secs() as f64))
}
