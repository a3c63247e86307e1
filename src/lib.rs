//! tmp

/// x
#[napi_derive::napi]
pub fn ping() -> u32 { 1 }
