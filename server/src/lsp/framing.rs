//! Standard input, with what is no message taken out, and standard output, which takes whole messages.
//!
//! tower-lsp's reader ends at the first message that it cannot read. So messages are looked at before it sees them: one
//! that is not JSON, or is not a message of JSON-RPC, is replaced by a request of our own ([`MALFORMED`]) that
//! [`Ordered`](super::ordered::Ordered) answers with the error that JSON-RPC asks for. The reading thread is a plain one,
//! which also spares each message the way through the runtime's pool for blocking work.
//!
//! Answers do not go through tower-lsp, which would make a tree of JSON values of each before it wrote it: the tokens of
//! a large file are a million numbers. They are written as text by the thread that made them and handed to
//! [`Output`], as what tower-lsp itself writes is.

use std::{
    io::{BufRead, BufReader, Write},
    pin::Pin,
    sync::mpsc::{Receiver, Sender, TryRecvError, channel},
    task::{Context, Poll, ready},
};

use serde::{Deserialize, de::IgnoredAny};
use serde_json::json;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    sync::mpsc::{UnboundedReceiver, unbounded_channel},
};

/// The method of the request that stands for a message that could not be read; its parameter is the error's code.
pub(crate) const MALFORMED: &str = "$/msl-analyzer/malformed";

/// Messages over this size are not read: 1 GB.
const MAX_MESSAGE: usize = 1 << 30;

/// The input as the transport reads it.
pub(crate) struct Input {
    messages: UnboundedReceiver<Vec<u8>>,
    current: Vec<u8>,
    /// How much of `current` was read.
    at: usize,
}

impl Input {
    /// Starts to read standard input. The input ends where that does.
    pub(crate) fn start() -> Input {
        let (sender, messages) = unbounded_channel();
        let _ = std::thread::Builder::new().name("input".to_owned()).spawn(move || {
            let mut input = BufReader::with_capacity(1 << 16, std::io::stdin().lock());
            while let Some(body) = read_message(&mut input) {
                let body = match judge(&body) {
                    Ok(()) => body,
                    Err(code) => json!({ "jsonrpc": "2.0", "id": null, "method": MALFORMED, "params": [code] })
                        .to_string()
                        .into_bytes(),
                };
                let mut framed = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
                framed.extend_from_slice(&body);
                if sender.send(framed).is_err() {
                    return;
                }
            }
        });
        Input { messages, current: Vec::new(), at: 0 }
    }
}

impl AsyncRead for Input {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        if self.at == self.current.len() {
            match ready!(self.messages.poll_recv(cx)) {
                Some(message) => {
                    self.current = message;
                    self.at = 0;
                }
                None => return Poll::Ready(Ok(())),
            }
        }
        let count = buffer.remaining().min(self.current.len() - self.at);
        buffer.put_slice(&self.current[self.at..self.at + count]);
        self.at += count;
        Poll::Ready(Ok(()))
    }
}

/// Standard output. Clones write to the same stream, each message in one piece.
#[derive(Clone)]
pub(crate) struct Output {
    frames: Sender<Vec<u8>>,
    /// What was written through [`AsyncWrite`] since the last flush, which comes behind whole messages.
    unsent: Vec<u8>,
}

impl Output {
    /// Starts the thread that writes. It ends with the process, or when nobody reads any more.
    pub(crate) fn start() -> Output {
        let (frames, queue) = channel();
        let _ = std::thread::Builder::new().name("output".to_owned()).spawn(move || write_frames(&queue));
        Output { frames, unsent: Vec::new() }
    }

    /// Sends the message with this body.
    pub(crate) fn send(&self, body: &str) {
        let mut frame = Vec::with_capacity(body.len() + 32);
        let _ = write!(frame, "Content-Length: {}\r\n\r\n", body.len());
        frame.extend_from_slice(body.as_bytes());
        // Nobody writes only when nobody reads.
        let _ = self.frames.send(frame);
    }
}

fn write_frames(queue: &Receiver<Vec<u8>>) {
    let mut output = std::io::stdout().lock();
    while let Ok(frame) = queue.recv() {
        let mut next = Ok(frame);
        loop {
            match next {
                Ok(frame) if output.write_all(&frame).is_err() => return,
                Ok(_) => next = queue.try_recv(),
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => break,
            }
        }
        if output.flush().is_err() {
            return;
        }
    }
}

impl AsyncWrite for Output {
    fn poll_write(mut self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<std::io::Result<usize>> {
        self.unsent.extend_from_slice(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        if !self.unsent.is_empty() {
            let frames = std::mem::take(&mut self.unsent);
            if self.frames.send(frames).is_err() {
                return Poll::Ready(Err(std::io::ErrorKind::BrokenPipe.into()));
            }
        }
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        self.poll_flush(cx)
    }
}

/// The body of the next message; `None` at the end. Lines that are no header are skipped.
fn read_message(input: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut length: Option<usize> = None;
    loop {
        let mut line = Vec::new();
        if input.read_until(b'\n', &mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_ascii();
        if let Some(colon) = line.iter().position(|&byte| byte == b':') {
            let (name, value) = (&line[..colon], &line[colon + 1..]);
            if name.eq_ignore_ascii_case(b"content-length") {
                length = str::from_utf8(value).ok().and_then(|value| value.trim().parse().ok());
            }
        } else if line.is_empty()
            && let Some(length) = length.take().filter(|&length| length <= MAX_MESSAGE)
        {
            let mut body = vec![0; length];
            input.read_exact(&mut body).ok()?;
            return Some(body);
        }
    }
}

/// Whether a body is a message of JSON-RPC; else the code of the error.
fn judge(body: &[u8]) -> Result<(), i32> {
    #[derive(Deserialize)]
    struct Shape<'a> {
        jsonrpc: &'a str,
        #[serde(default)]
        method: Option<&'a str>,
        #[serde(default)]
        id: Option<Id<'a>>,
        #[serde(default)]
        result: Option<IgnoredAny>,
        #[serde(default)]
        error: Option<Failure>,
    }
    #[derive(Deserialize)]
    #[serde(untagged)]
    #[allow(dead_code, reason = "only whether it can be read counts")]
    enum Id<'a> {
        Number(i64),
        Name(&'a str),
    }
    #[derive(Deserialize)]
    #[allow(dead_code, reason = "only whether it can be read counts")]
    struct Failure {
        code: i64,
        message: String,
    }
    match serde_json::from_slice::<Shape<'_>>(body) {
        Ok(shape) if shape.jsonrpc == "2.0" => {
            let is_response = shape.id.is_some() || shape.result.is_some() || shape.error.is_some();
            if shape.method.is_some() || is_response { Ok(()) } else { Err(-32600) }
        }
        Ok(_) => Err(-32600),
        Err(error) if error.is_data() => Err(-32600),
        Err(_) => Err(-32700),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_message() {
        assert_eq!(judge(br#"{"jsonrpc":"2.0","method":"a"}"#), Ok(()));
        assert_eq!(judge(br#"{"jsonrpc":"2.0","id":"x","result":null}"#), Ok(()));
        assert_eq!(judge(br#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}"#), Ok(()));
        assert_eq!(judge(br#"{"jsonrpc":"1.0","method":"a"}"#), Err(-32600));
        assert_eq!(judge(br#"{"jsonrpc":"2.0"}"#), Err(-32600));
        assert_eq!(judge(b"[1]"), Err(-32600));
        assert_eq!(judge(b"{"), Err(-32700));
    }

    #[test]
    fn headers() {
        let text = b"noise\r\n\r\nContent-Type: x\r\ncontent-length: 2\r\n\r\n{}Content-Length: 1\r\n\r\n1";
        let mut input = &text[..];
        assert_eq!(read_message(&mut input).as_deref(), Some(&b"{}"[..]));
        assert_eq!(read_message(&mut input).as_deref(), Some(&b"1"[..]));
        assert_eq!(read_message(&mut input), None);
    }
}
