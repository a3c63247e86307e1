//! Reads and parses plain HTTP/1.1 requests for `node:http`, frames its responses
//! and sends each in one write.
//!
//! Goals of the crate:
//!
//! * the bytes are those of stock Node, which is the specification;
//! * one crossing from JavaScript a response: one joined string in, a number out;
//! * no input panics, aborts, reads out of bounds or allocates without a bound
//!   derived from the input.
//!
//! [`wire`], [`request`] and [`shapes`] are pure bytes, [`pump`] is descriptors; they know
//! nothing of Node. Only `addon` touches Node-API.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

#[cfg(unix)]
pub mod pump;
pub mod request;
pub mod shapes;
#[cfg(unix)]
pub mod syscall;
pub mod wire;

// Without Node to link against, tests see the byte core alone.
#[cfg(not(test))]
mod addon;
