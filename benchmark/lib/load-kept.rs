//! Drives one server over connections that stay open.
//!
//!     load-kept PORT CONNECTIONS PIPELINING NEW < REQUESTS-AND-COMMANDS
//!
//! The first line of standard input has the requests in hexadecimal, with spaces; each further one is a number of
//! seconds to drive the server for. For each of those, a line with the answered requests and the seconds that it took
//! is printed. All connections send, then all answers are read, so that the server always finds several requests. Of
//! several requests, neighbouring connections are at different ones, and each goes on to the next. All answers to a
//! request must be as long as the first. With 1 for NEW, each connection is closed after its answer and opened anew.

use std::io::{self, BufRead, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const PATIENCE: Duration = Duration::from_secs(20);

/// Connections are opened anew when they have been idle for so long: servers close them after 5 seconds.
const IDLE: Duration = Duration::from_secs(2);

fn connect(port: u16) -> Result<TcpStream> {
    let stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    Ok(stream)
}

fn decode(hex: &str) -> Result<Vec<u8>> {
    let digits = hex.as_bytes().chunks(2);
    digits
        .map(|pair| Ok(u8::from_str_radix(std::str::from_utf8(pair)?, 16)?))
        .collect()
}

/// Length of the answer that the bytes begin with, `None` when it is not whole.
fn answer_length(bytes: &[u8]) -> Result<Option<usize>> {
    let text = String::from_utf8_lossy(bytes).to_ascii_lowercase();
    let Some(end) = text.find("\r\n\r\n") else {
        return Ok(None);
    };
    let field = |name: &str| {
        let lines = text[..end].split("\r\n").skip(1);
        let mut fields = lines.filter_map(|line| line.split_once(':'));
        fields
            .find(|(n, _)| *n == name)
            .map(|(_, value)| value.trim().to_owned())
    };
    if let Some(length) = field("content-length") {
        let whole = end + 4 + length.parse::<usize>()?;
        return Ok((bytes.len() >= whole).then_some(whole));
    }
    if field("transfer-encoding").as_deref() == Some("chunked") {
        return Ok(text.ends_with("\r\n0\r\n\r\n").then_some(bytes.len()));
    }
    Err(format!("an answer of unknown length: {}", &text[..end]).into())
}

fn measure_answer(port: u16, request: &[u8]) -> Result<usize> {
    let mut stream = connect(port)?;
    stream.write_all(request)?;
    let mut bytes = Vec::new();
    let mut buffer = [0; 65536];
    loop {
        let count = stream.read(&mut buffer)?;
        if count == 0 {
            return Err("the server closed the connection".into());
        }
        bytes.extend_from_slice(&buffer[..count]);
        match answer_length(&bytes)? {
            Some(length) if length == bytes.len() => return Ok(length),
            Some(_) => return Err("more bytes than one answer".into()),
            None => {}
        }
    }
}

/// What is sent at once, and what is expected for it.
struct Batch {
    bytes: Vec<u8>,
    answer_length: usize,
    answers_length: usize,
}

impl Batch {
    fn new(port: u16, request: &[u8], pipelining: usize) -> Result<Self> {
        let answer_length = measure_answer(port, request)?;
        Ok(Self {
            bytes: request.repeat(pipelining),
            answer_length,
            answers_length: answer_length * pipelining,
        })
    }
}

struct Load {
    port: u16,
    batches: Vec<Batch>,
    new: bool,
    streams: Vec<TcpStream>,
    answers: Vec<u8>,
    turn: usize,
}

impl Load {
    fn reopen(&mut self) -> Result<()> {
        for stream in &mut self.streams {
            *stream = connect(self.port)?;
        }
        Ok(())
    }

    /// Sends a batch on each connection, then reads the answers of each.
    fn exchange(&mut self) -> Result<()> {
        let batches = self.batches.iter().cycle().skip(self.turn);
        for (stream, batch) in self.streams.iter_mut().zip(batches.clone()) {
            if self.new {
                *stream = connect(self.port)?;
            }
            stream.write_all(&batch.bytes)?;
        }
        for (stream, batch) in self.streams.iter_mut().zip(batches) {
            let answers = &mut self.answers[..batch.answers_length];
            stream.read_exact(answers)?;
            let mut each = answers.chunks(batch.answer_length);
            if !each.all(|answer| answer.starts_with(b"HTTP/1.1 2")) {
                let text = String::from_utf8_lossy(answers);
                return Err(format!("a failed request: {text}").into());
            }
            if self.new {
                stream.shutdown(Shutdown::Both)?;
            }
        }
        self.turn = (self.turn + 1) % self.batches.len();
        Ok(())
    }
}

fn main() -> Result<()> {
    let numbers = std::env::args().skip(1).map(|text| text.parse());
    let numbers: Vec<usize> = numbers.collect::<std::result::Result<_, _>>()?;
    let [port, connections, pipelining, new] = numbers[..] else {
        return Err("usage: load-kept PORT CONNECTIONS PIPELINING NEW".into());
    };
    let port = u16::try_from(port)?;
    let mut lines = io::stdin().lock().lines();
    let requests = lines.next().ok_or("no requests")??;
    let batches = requests
        .split(' ')
        .map(|hex| Batch::new(port, &decode(hex)?, pipelining))
        .collect::<Result<Vec<_>>>()?;
    let streams = (0..connections).map(|_| connect(port));
    let longest = batches.iter().map(|batch| batch.answers_length).max();
    let mut load = Load {
        port,
        new: new == 1,
        streams: streams.collect::<Result<_>>()?,
        answers: vec![0; longest.unwrap_or(0)],
        batches,
        turn: 0,
    };
    let mut used = Instant::now();
    for line in lines {
        let duration = Duration::try_from_secs_f64(line?.parse()?)?;
        if used.elapsed() > IDLE {
            load.reopen()?;
        }
        let start = Instant::now();
        let mut requests = 0;
        while start.elapsed() < duration {
            load.exchange()?;
            requests += connections * pipelining;
        }
        used = Instant::now();
        println!("{requests} {}", start.elapsed().as_secs_f64());
    }
    Ok(())
}
