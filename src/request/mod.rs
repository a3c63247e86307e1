//! A strict parser of whole, plain HTTP/1.1 requests, in place.
//!
//! Node's own parser is the specification: [`parse`] accepts only what llhttp in
//! its strict mode accepts with the very same reading, in every Node release that
//! is tested. Everything else, valid or not, is left to Node with a [`Reason`]
//! before anything was done, and Node's parser gets the same bytes. So this module
//! never answers for a bad request, and wherever llhttp releases disagree or the
//! grammar of RFC 9112 is narrower than llhttp, it takes the narrower reading.
//!
//! The parts: [`Method`] and the target of the request line, the field lines with
//! what they say about framing, and the body.

mod body;
mod field;
mod method;
mod target;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

pub use method::Method;

/// The most fields of a request. Node keeps 1000 fields (`parser.maxHeaderPairs`
/// counts names and values) and silently drops what comes behind them.
pub const MOST_FIELDS: usize = 1000;

/// The most bytes that are looked at: offsets are 32 bits wide.
const MOST_BYTES: usize = u32::MAX as usize;

/// The end of a request line, RFC 9112 section 2.3. Other versions have other
/// rules for framing and persistence and are left to Node.
const VERSION: &[u8] = b"HTTP/1.1\r\n";

/// A range of bytes of the input. Invariant: `start <= end`, and `end` is not
/// behind the input that was parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte.
    pub end: u32,
}

impl Span {
    /// The span of two offsets in an input of at most [`MOST_BYTES`].
    const fn new(start: usize, end: usize) -> Self {
        Self {
            start: start as u32,
            end: end as u32,
        }
    }

    /// The bytes of the span; none if `input` is not the input that was parsed and
    /// is shorter.
    pub fn of(self, input: &[u8]) -> &[u8] {
        input
            .get(self.start as usize..self.end as usize)
            .unwrap_or_default()
    }
}

/// A field line, RFC 9112 section 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name in the casing of the sender, never empty.
    pub name: Span,
    /// The value without the SP and HTAB around it.
    pub value: Span,
}

/// How the request is framed, RFC 9112 section 6.3. This does not depend on the
/// method: a GET may have a body, as in llhttp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// Neither `Content-Length` nor `Transfer-Encoding` is given.
    None,
    /// The content that `Content-Length` gives the length of; it may be empty, and
    /// Node has no body event then.
    Length(Span),
    /// Chunked coding; the data of each chunk is in the `chunks` given to [`parse`],
    /// and no chunk is empty. Node has one body event for each.
    Chunked,
}

/// A whole request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The method.
    pub method: Method,
    /// The request target as sent, RFC 9112 section 3.2; never empty.
    pub target: Span,
    /// Whether the connection persists after this request, RFC 9112 section 9.3.
    pub persists: bool,
    /// The body.
    pub body: Body,
    /// Bytes of the head with the empty line that ends it.
    pub head: u32,
    /// Bytes of the whole request.
    pub length: u32,
}

/// Why a request is left to Node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Head or body have not arrived completely.
    Partial,
    /// The head is as long as the limit or longer, it has more than
    /// [`MOST_FIELDS`], or the request is longer than offsets are wide.
    Large,
    /// The method is none of [`Method`], or the request does not start with one.
    Method,
    /// The target is empty, in a rare form, or has a byte that it may not have.
    Target,
    /// The version is not HTTP/1.1, or the request line does not end behind it.
    Version,
    /// A field line is malformed or folded, or the empty line is malformed.
    Field,
    /// `Content-Length` or `Transfer-Encoding` are repeated, given together, or
    /// have an uncommon value.
    Framing,
    /// An `Upgrade` field is given.
    Upgrade,
    /// An `Expect` field is given.
    Expect,
    /// `Connection` is repeated or other than `keep-alive` and `close`, or there is
    /// a `Proxy-Connection`, which llhttp reads likewise.
    Connection,
    /// A chunk is malformed, has extensions, or its size an uncommon form.
    Chunk,
    /// Something other than the empty line follows the last chunk.
    Trailers,
}

impl Reason {
    /// The reason as a word for counters.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Partial => "partial",
            Self::Large => "large",
            Self::Method => "method",
            Self::Target => "target",
            Self::Version => "version",
            Self::Field => "field",
            Self::Framing => "framing",
            Self::Upgrade => "upgrade",
            Self::Expect => "expect",
            Self::Connection => "connection",
            Self::Chunk => "chunk",
            Self::Trailers => "trailers",
        }
    }
}

/// Parses the request at the start of `input`, which is not empty.
///
/// What follows the request in `input` is not looked at. A head of `limit` bytes or
/// more is left to Node, which counts somewhat less than all bytes of a head
/// (`maxHeaderSize`). `fields` and `chunks` are cleared first; what they hold is
/// meaningful only beside a request.
pub fn parse(
    input: &[u8],
    limit: usize,
    fields: &mut Vec<Field>,
    chunks: &mut Vec<Span>,
) -> Result<Request, Reason> {
    fields.clear();
    chunks.clear();
    let input = input.get(..MOST_BYTES).unwrap_or(input);
    let head = input.get(..limit.saturating_sub(1)).unwrap_or(input);
    let (method, target, facts, end) = parse_head(head, fields).map_err(|reason| match reason {
        Reason::Partial if input.len() >= limit => Reason::Large,
        reason => reason,
    })?;
    let (body, length) = match facts.framing {
        field::Framing::None => (Body::None, end),
        field::Framing::Length(octets) => body::identity(input, end, octets)?,
        field::Framing::Chunked => (Body::Chunked, body::chunked(input, end, chunks)?),
    };
    Ok(Request {
        method,
        target,
        persists: facts.persists(),
        body,
        head: end as u32,
        length: length as u32,
    })
}

/// Parses the head at the start of `input`, which may hold no more of it than its
/// limit allows. The last piece of what is returned is the offset behind the head.
fn parse_head(
    input: &[u8],
    fields: &mut Vec<Field>,
) -> Result<(Method, Span, field::Facts, usize), Reason> {
    // llhttp skips CR and LF before a method and more than one SP behind it
    // (RFC 9112 sections 2.2 and 3 leave both to the server).
    let (method, at) = method::parse(input)?;
    let (target, at) = target::parse(input, at)?;
    let rest = input.get(at..).unwrap_or_default();
    match rest.get(..VERSION.len()) {
        Some(VERSION) => {}
        Some(_) => return Err(Reason::Version),
        None => return Err(Reason::Partial),
    }
    let (facts, end) = field::parse(input, at + VERSION.len(), fields)?;
    Ok((method, target, facts, end))
}
