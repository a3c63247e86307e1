//! The byte core: HTTP/1.1 response framing over `&[u8]`, no Node-API.
//!
//! A head is written by [`head::write`], the framing decision is made once by
//! [`framing::decide`], and [`message`] puts head and body together.

pub mod chunk;
pub mod date;
pub mod field;
pub mod framing;
pub mod head;
pub mod message;
pub mod out;

#[cfg(test)]
mod model;
#[cfg(test)]
mod properties;
