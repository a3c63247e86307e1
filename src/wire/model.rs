//! A slow, obvious model of a framed response, written from RFC 9110 and RFC
//! 9112 and from what Node does, with none of the code that it is to check.

/// Everything that a message is made of.
#[derive(Clone, Debug)]
pub struct Message {
    pub status: u16,
    pub reason: Vec<u8>,
    pub fields: Vec<(Vec<u8>, Vec<u8>)>,
    pub body: Vec<u8>,
    /// The second of the `Date` field to add.
    pub date: Option<u64>,
    pub asked: Asked,
    /// The response answers HEAD.
    pub omit_body: bool,
}

/// What the caller asks about persistence.
#[derive(Clone, Copy, Debug)]
pub enum Asked {
    Nothing,
    Close,
    KeepAlive {
        timeout: Option<u64>,
        max: Option<u64>,
    },
}

/// Why a message must not be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum No {
    LengthAndCoding,
    LengthMismatch,
    TrailerWithoutChunked,
}

impl Message {
    fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = String> + 'a {
        let same = move |(given, _): &&(Vec<u8>, Vec<u8>)| latin1(given).to_lowercase() == name;
        self.fields
            .iter()
            .filter(same)
            .map(|(_, value)| latin1(value))
    }

    fn has(&self, name: &str) -> bool {
        self.values(name).next().is_some()
    }

    /// The bytes of the whole message.
    pub fn frame(&self) -> Result<Vec<u8>, No> {
        let bodiless = matches!(self.status, 100..=199 | 204 | 304);
        let carried: &[u8] = if bodiless || self.omit_body {
            b""
        } else {
            &self.body
        };

        let has_length = self.has("content-length");
        let has_coding = self.has("transfer-encoding");
        if has_length && has_coding {
            return Err(No::LengthAndCoding);
        }
        let describes_what_is_absent = self.omit_body || self.status == 304;
        let right = |value: String| is_number(&value, carried.len());
        if !describes_what_is_absent && !self.values("content-length").all(right) {
            return Err(No::LengthMismatch);
        }

        let says_chunked = self
            .values("transfer-encoding")
            .any(|value| words(&value).any(|word| word == "chunked"));
        // Without content there is no last chunk, and the client waits for one.
        let must_close = says_chunked && matches!(self.status, 204 | 304);
        let says_nothing = !has_length && !has_coding;
        let chunk_for_trailers =
            says_nothing && self.has("trailer") && !bodiless && !self.omit_body;
        let chunked = (says_chunked && !must_close) || chunk_for_trailers;
        if self.has("trailer") && !chunked {
            return Err(No::TrailerWithoutChunked);
        }

        let mut lines = vec![format!("HTTP/1.1 {} {}", self.status, latin1(&self.reason))];
        for (name, value) in &self.fields {
            lines.push(format!("{}: {}", latin1(name), latin1(value)));
        }
        if let (Some(second), false) = (self.date, self.has("date")) {
            lines.push(format!("Date: {}", date(second)));
        }
        if !self.has("connection") {
            match self.asked {
                _ if must_close => lines.push("Connection: close".into()),
                Asked::Nothing => {}
                Asked::Close => lines.push("Connection: close".into()),
                Asked::KeepAlive { timeout, max } => {
                    lines.push("Connection: keep-alive".into());
                    if let (Some(timeout), false) = (timeout, self.has("keep-alive")) {
                        let max = max.map_or(String::new(), |max| format!(", max={max}"));
                        lines.push(format!("Keep-Alive: timeout={timeout}{max}"));
                    }
                }
            }
        }
        if chunk_for_trailers {
            lines.push("Transfer-Encoding: chunked".into());
        } else if says_nothing && !bodiless && !self.omit_body {
            lines.push(format!("Content-Length: {}", carried.len()));
        }

        let head: String = lines.iter().map(|line| format!("{line}\r\n")).collect();
        let mut bytes = bytes_of(&format!("{head}\r\n"));
        let carries = !bodiless && !self.omit_body;
        if carries && chunked {
            if !carried.is_empty() {
                bytes.extend(bytes_of(&format!("{:x}\r\n", carried.len())));
                bytes.extend(carried);
                bytes.extend(bytes_of("\r\n"));
            }
            bytes.extend(bytes_of("0\r\n\r\n"));
        } else {
            bytes.extend(carried);
        }
        Ok(bytes)
    }
}

/// Bytes as text, one character a byte.
pub fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| char::from(byte)).collect()
}

/// The reverse of [`latin1`].
fn bytes_of(text: &str) -> Vec<u8> {
    let byte = |character| u8::try_from(u32::from(character)).unwrap();
    text.chars().map(byte).collect()
}

/// The words of a value, as regular expressions have them, in lower case.
pub fn words(value: &str) -> impl Iterator<Item = String> + '_ {
    value
        .split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .map(str::to_lowercase)
}

/// Whether a text is the decimal number, leading zeros allowed.
fn is_number(text: &str, number: usize) -> bool {
    let digits = !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    let stripped = text.trim_start_matches('0');
    digits && (stripped == number.to_string() || (stripped.is_empty() && number == 0))
}

/// An IMF-fixdate, counted out day by day and month by month.
pub fn date(second: u64) -> String {
    let last_of_9999 = 253_402_300_799;
    let second = second.min(last_of_9999);
    let days = second / 86_400;
    let weekday =
        ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][usize::try_from(days % 7).unwrap()];
    let (mut year, mut day) = (1970, days);
    while day >= days_of(year) {
        day -= days_of(year);
        year += 1;
    }
    let february = days_of(year) - 337;
    let months = [
        ("Jan", 31),
        ("Feb", february),
        ("Mar", 31),
        ("Apr", 30),
        ("May", 31),
        ("Jun", 30),
        ("Jul", 31),
        ("Aug", 31),
        ("Sep", 30),
        ("Oct", 31),
        ("Nov", 30),
        ("Dec", 31),
    ];
    let mut month = "";
    for (name, length) in months {
        month = name;
        if day < length {
            break;
        }
        day -= length;
    }
    let (hour, minute) = (second / 3600 % 24, second / 60 % 60);
    format!(
        "{weekday}, {:02} {month} {year:04} {hour:02}:{minute:02}:{:02} GMT",
        day + 1,
        second % 60
    )
}

fn days_of(year: u64) -> u64 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    if leap {
        366
    } else {
        365
    }
}
