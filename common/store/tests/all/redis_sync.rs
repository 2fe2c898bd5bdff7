//! What a sync asks of a server, and how it handles the answer. Against a server of our own:
//! Debian's do not know `WAITAOF`.

use std::io::{BufRead, BufReader, Lines, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use hasami_store::{RedisStore, Store, StoreError};

/// A server that knows four commands, with this answer to `WAITAOF`. Sends those it received.
fn server(waitaof: &'static str) -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("redis+single://{}", listener.local_addr().unwrap());
    let (met, meeting) = channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            serve(&stream.unwrap(), waitaof, &met);
        }
    });
    (url, meeting)
}

fn serve(mut stream: &TcpStream, waitaof: &str, met: &Sender<String>) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
    while let Some(words) = command(&mut lines) {
        let answer = match words[0].as_str() {
            "SET" => "+OK",
            "GET" => "$1\r\n1",
            "WAITAOF" => waitaof,
            other => panic!("{other}"),
        };
        met.send(words.join(" ")).unwrap();
        write!(stream, "{answer}\r\n").unwrap();
    }
}

fn command(lines: &mut Lines<BufReader<TcpStream>>) -> Option<Vec<String>> {
    let count = lines.next()?.ok()?.strip_prefix('*')?.parse().ok()?;
    (0..count)
        .map(|_| {
            assert!(lines.next()?.ok()?.starts_with('$'));
            lines.next()?.ok()
        })
        .collect()
}

fn sync(waitaof: &'static str) -> (Result<(), StoreError>, Vec<String>) {
    let (url, met) = server(waitaof);
    let store = RedisStore::open(&url).unwrap();
    assert_eq!(met.try_iter().count(), 2);
    let result = store.sync();
    (result, met.try_iter().collect())
}

#[test]
fn a_write_and_then_waiting_for_it_makes_all_before_durable() {
    let (result, met) = sync("*2\r\n:1\r\n:0");
    assert_eq!(result, Ok(()));
    assert_eq!(met, ["SET hasami:{}sync:0 ", "WAITAOF 1 0 2500"]);
}

#[test]
fn what_the_disk_has_not_confirmed_is_no_success() {
    let (result, _) = sync("*2\r\n:0\r\n:0");
    let error = result.unwrap_err().to_string();
    assert!(error.contains("has not confirmed within 2.5s"), "{error}");
    let (result, _) = sync("-ERR something else");
    assert!(result.unwrap_err().to_string().contains("something else"));
}

#[test]
fn a_server_that_cannot_say_or_keeps_no_log_confirms_nothing_more() {
    for answer in [
        "-ERR unknown command 'WAITAOF', with args beginning with: '1' '0' '2500' ",
        "-ERR WAITAOF cannot be used when numlocal is set but appendonly is disabled.",
    ] {
        assert_eq!(sync(answer).0, Ok(()));
    }
}
