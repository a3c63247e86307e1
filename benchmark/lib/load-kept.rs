//! Drives one server over connections that stay open.
//!
//!     load-kept PORT CONNECTIONS PIPELINING < REQUEST-AND-COMMANDS
//!
//! The first line of standard input is the request in hexadecimal; each further one is a number of seconds to drive
//! the server for. For each of those, a line with the answered requests and the seconds that it took is printed. All
//! connections send, then all answers are read, so that the server always finds several requests. All answers must
//! be as long as the first.

use std::io::{self, BufRead, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const PATIENCE: Duration = Duration::from_secs(20);

fn connect(port: u16) -> Result<TcpStream> {
    let stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    Ok(stream)
}

fn decode(hex: &str) -> Result<Vec<u8>> {
    let digits = hex.as_bytes().chunks(2);
    digits.map(|pair| Ok(u8::from_str_radix(std::str::from_utf8(pair)?, 16)?)).collect()
}

/// Length of the answer that the bytes begin with, `None` when it is not whole.
fn answer_length(bytes: &[u8]) -> Result<Option<usize>> {
    let text = String::from_utf8_lossy(bytes).to_ascii_lowercase();
    let Some(end) = text.find("\r\n\r\n") else { return Ok(None) };
    let field = |name: &str| {
        let lines = text[..end].split("\r\n").skip(1);
        lines.filter_map(|line| line.split_once(':')).find(|(n, _)| *n == name).map(|(_, v)| v.trim().to_owned())
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

/// Sends the batch on each connection, then reads the answers of each.
fn exchange(streams: &mut [TcpStream], batch: &[u8], answers: &mut [u8]) -> Result<()> {
    for stream in streams.iter_mut() {
        stream.write_all(batch)?;
    }
    for stream in streams {
        stream.read_exact(answers)?;
        if !answers.starts_with(b"HTTP/1.1 2") {
            return Err(format!("a failed request: {}", String::from_utf8_lossy(answers)).into());
        }
    }
    Ok(())
}

fn main() -> Result<()> {
    let numbers: Vec<usize> = std::env::args().skip(1).map(|text| text.parse()).collect::<std::result::Result<_, _>>()?;
    let [port, connections, pipelining] = numbers[..] else {
        return Err("usage: load-kept PORT CONNECTIONS PIPELINING".into());
    };
    let port = u16::try_from(port)?;
    let mut lines = io::stdin().lock().lines();
    let request = decode(&lines.next().ok_or("no request")??)?;
    let length = measure_answer(port, &request)?;
    let batch = request.repeat(pipelining);
    let mut answers = vec![0; length * pipelining];
    let mut streams = (0..connections).map(|_| connect(port)).collect::<Result<Vec<_>>>()?;
    for line in lines {
        let duration = Duration::try_from_secs_f64(line?.parse()?)?;
        let start = Instant::now();
        let mut requests = 0;
        while start.elapsed() < duration {
            exchange(&mut streams, &batch, &mut answers)?;
            requests += connections * pipelining;
        }
        println!("{requests} {}", start.elapsed().as_secs_f64());
    }
    Ok(())
}
