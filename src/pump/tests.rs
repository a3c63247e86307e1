use std::io::Write;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::fd::AsRawFd;
use std::time::{Duration, Instant};

use super::{Found, Pump, Slot, READ};

fn pair() -> (TcpStream, TcpStream) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let near = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (far, _) = listener.accept().unwrap();
    far.set_nonblocking(true).unwrap();
    (near, far)
}

fn watched(descriptor: i32) -> Slot {
    Slot {
        descriptor,
        limit: 100,
        fields: 10,
        watched: true,
        holds: true,
    }
}

fn bytes_read(count: usize) -> Found {
    Found::Bytes {
        count,
        hangs_up: false,
    }
}

/// Polls until something is found.
fn found(pump: &mut Pump) -> Option<(u32, Found)> {
    found_into(pump, &mut [0; READ])
}

/// The same; what was read is in `buffer`.
fn found_into(pump: &mut Pump, buffer: &mut [u8; READ]) -> Option<(u32, Found)> {
    let end = Instant::now() + Duration::from_secs(5);
    while Instant::now() < end {
        if !pump.is_ready() {
            pump.poll().unwrap();
        }
        if let Some((index, _, found)) = pump.read_next(buffer) {
            return Some((index, found));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    None
}

/// Whether nothing is found within a little while.
fn is_quiet(pump: &mut Pump) -> bool {
    std::thread::sleep(Duration::from_millis(20));
    pump.poll().unwrap();
    pump.read_next(&mut [0; READ]).is_none()
}

#[test]
fn reads_what_came() {
    let (mut near, far) = pair();
    let mut pump = Pump::new(true).unwrap();
    let index = pump.add(watched(far.as_raw_fd())).unwrap();
    assert!(is_quiet(&mut pump));
    near.write_all(b"hello").unwrap();
    let bytes = bytes_read(5);
    let mut buffer = [0; READ];
    assert_eq!(found_into(&mut pump, &mut buffer), Some((index, bytes)));
    assert_eq!(&buffer[..5], b"hello");
    assert!(is_quiet(&mut pump));
    near.shutdown(Shutdown::Write).unwrap();
    assert_eq!(found(&mut pump), Some((index, Found::Ended)));
}

#[test]
fn tells_of_an_end_that_came_with_bytes() {
    let (mut near, far) = pair();
    near.write_all(b"bye").unwrap();
    near.shutdown(Shutdown::Write).unwrap();
    std::thread::sleep(Duration::from_millis(20));
    let mut pump = Pump::new(true).unwrap();
    let index = pump.add(watched(far.as_raw_fd())).unwrap();
    let bytes = bytes_read(3);
    assert_eq!(found(&mut pump), Some((index, bytes)));
    assert!(!pump.is_ready());
    assert_eq!(found(&mut pump), Some((index, Found::Ended)));
}

#[test]
fn reads_more_than_a_buffer() {
    let (mut near, far) = pair();
    let mut pump = Pump::new(true).unwrap();
    let index = pump.add(watched(far.as_raw_fd())).unwrap();
    let sent = vec![7; 2 * READ + 1];
    let writer = std::thread::spawn(move || {
        near.write_all(&sent).unwrap();
        near
    });
    let mut read = 0;
    while read < 2 * READ + 1 {
        let Some((at, Found::Bytes { count, .. })) = found(&mut pump) else {
            panic!("nothing after {read} bytes");
        };
        assert_eq!(at, index);
        read += count;
    }
    assert!(is_quiet(&mut pump));
    drop(writer.join().unwrap());
    assert_eq!(found(&mut pump), Some((index, Found::Ended)));
}

#[test]
fn an_error_is_told() {
    let (near, far) = pair();
    let mut pump = Pump::new(true).unwrap();
    let index = pump.add(watched(far.as_raw_fd())).unwrap();
    // Unread bytes make the close a reset.
    (&far).write_all(b"x").unwrap();
    std::thread::sleep(Duration::from_millis(20));
    drop(near);
    let failed = Found::Failed(libc::ECONNRESET);
    assert_eq!(found(&mut pump), Some((index, failed)));
}

#[test]
fn bytes_before_an_error_are_read() {
    let (mut near, far) = pair();
    let mut pump = Pump::new(true).unwrap();
    let index = pump.add(watched(far.as_raw_fd())).unwrap();
    (&far).write_all(b"x").unwrap();
    near.write_all(b"ab").unwrap();
    std::thread::sleep(Duration::from_millis(20));
    drop(near);
    std::thread::sleep(Duration::from_millis(20));
    let last = Found::Bytes {
        count: 2,
        hangs_up: true,
    };
    let (at, found) = found(&mut pump).unwrap();
    assert_eq!(at, index);
    // A reset may take the bytes with it.
    assert!(
        found == last || found == Found::Failed(libc::ECONNRESET),
        "{found:?}"
    );
}

#[test]
fn what_is_not_watched_waits() {
    let (mut near, far) = pair();
    let mut pump = Pump::new(true).unwrap();
    let index = pump.add(watched(far.as_raw_fd())).unwrap();
    assert!(pump.is_held());
    pump.watch(index, false).unwrap();
    assert!(!pump.is_held());
    near.write_all(b"x").unwrap();
    assert!(is_quiet(&mut pump));
    pump.watch(index, true).unwrap();
    pump.watch(index, true).unwrap();
    let bytes = bytes_read(1);
    assert_eq!(found(&mut pump), Some((index, bytes)));
    pump.hold(index, false);
    assert!(!pump.is_held());
}

#[test]
fn what_was_noted_is_skipped_once_it_is_gone() {
    let (mut near, far) = pair();
    let (mut near_too, far_too) = pair();
    let mut pump = Pump::new(true).unwrap();
    let index = pump.add(watched(far.as_raw_fd())).unwrap();
    near.write_all(b"x").unwrap();
    std::thread::sleep(Duration::from_millis(20));
    pump.poll().unwrap();
    assert!(pump.is_ready());
    pump.remove(index);
    pump.remove(index);
    // The same place, and another use of it.
    assert_eq!(pump.add(watched(far_too.as_raw_fd())).unwrap(), index);
    assert!(pump.read_next(&mut [0; READ]).is_none());
    near_too.write_all(b"yz").unwrap();
    let bytes = bytes_read(2);
    assert_eq!(found(&mut pump), Some((index, bytes)));
}

#[test]
fn a_descriptor_that_is_none_is_refused() {
    let mut pump = Pump::new(true).unwrap();
    assert!(pump.add(watched(-1)).is_err());
    assert!(!pump.is_held());
}
