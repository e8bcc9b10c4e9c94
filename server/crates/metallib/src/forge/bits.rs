//! A writer of LLVM bitstreams.

/// Writes bits, lowest first, and keeps track of open blocks.
#[derive(Clone, Debug, Default)]
pub struct BitWriter {
    bytes: Vec<u8>,
    /// How many bits of the last byte are used, 0 meaning all.
    used: u32,
    /// For each open block: where its length word stands, and the width of abbreviation ids around it.
    open: Vec<(usize, u32)>,
    id_width: u32,
}

impl BitWriter {
    /// A stream that starts with the magic number of bitcode.
    pub fn bitcode() -> BitWriter {
        BitWriter { bytes: b"BC\xC0\xDE".to_vec(), used: 0, open: Vec::new(), id_width: 2 }
    }

    /// The stream, padded to whole words.
    pub fn finish(mut self) -> Vec<u8> {
        self.align();
        self.bytes
    }

    pub fn fixed(&mut self, value: u64, width: u32) {
        for bit in 0..width {
            if self.used == 0 {
                self.bytes.push(0);
            }
            if value >> bit & 1 == 1
                && let Some(last) = self.bytes.last_mut()
            {
                *last |= 1 << self.used;
            }
            self.used = (self.used + 1) % 8;
        }
    }

    pub fn vbr(&mut self, mut value: u64, width: u32) {
        let more = 1 << (width - 1);
        while value >= more {
            self.fixed(value & (more - 1) | more, width);
            value >>= width - 1;
        }
        self.fixed(value, width);
    }

    pub fn align(&mut self) {
        self.used = 0;
        while !self.bytes.len().is_multiple_of(4) {
            self.bytes.push(0);
        }
    }

    /// Writes an abbreviation id in the width of the current block.
    pub fn id(&mut self, id: u64) {
        self.fixed(id, self.id_width);
    }

    pub fn enter(&mut self, block: u64, id_width: u32) {
        self.id(1);
        self.vbr(block, 8);
        self.vbr(id_width.into(), 4);
        self.align();
        self.open.push((self.bytes.len(), self.id_width));
        self.bytes.extend([0; 4]);
        self.id_width = id_width;
    }

    pub fn end(&mut self) {
        self.id(0);
        self.align();
        let Some((at, id_width)) = self.open.pop() else { return };
        let words = (self.bytes.len() - at - 4) / 4;
        self.bytes[at..at + 4].copy_from_slice(&(words as u32).to_le_bytes());
        self.id_width = id_width;
    }

    /// A record without an abbreviation.
    pub fn record(&mut self, code: u64, operands: &[u64]) {
        self.id(3);
        self.vbr(code, 6);
        self.vbr(operands.len() as u64, 6);
        for &operand in operands {
            self.vbr(operand, 6);
        }
    }

    /// A record whose operands are the bytes of a text.
    pub fn text_record(&mut self, code: u64, before: &[u64], text: &str) {
        let mut operands = before.to_vec();
        operands.extend(text.bytes().map(u64::from));
        self.record(code, &operands);
    }

    /// Defines an abbreviation of a literal code, some 32-bit numbers as six-bit chunks, and a blob.
    pub fn define_blob_abbreviation(&mut self, code: u64, numbers: usize) {
        self.id(2);
        self.vbr(numbers as u64 + 2, 5);
        self.fixed(1, 1);
        self.vbr(code, 8);
        for _ in 0..numbers {
            self.fixed(0, 1);
            self.fixed(2, 3);
            self.vbr(6, 5);
        }
        self.fixed(0, 1);
        self.fixed(5, 3);
    }

    /// A record of the abbreviation that [`BitWriter::define_blob_abbreviation`] defined with this id.
    pub fn blob_record(&mut self, id: u64, numbers: &[u64], blob: &[u8]) {
        self.id(id);
        for &number in numbers {
            self.vbr(number, 6);
        }
        self.vbr(blob.len() as u64, 6);
        self.align();
        self.bytes.extend(blob);
        self.align();
    }
}
