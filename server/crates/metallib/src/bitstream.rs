//! The LLVM bitstream container: bits, abbreviations, records and blocks.
//!
//! A bitstream is a tree of *blocks*. A block holds *records* (a code and a list of numbers), further blocks, and
//! definitions of *abbreviations*, which are recipes for writing a record compactly. Every item starts with an
//! *abbreviation id*: 0 ends the block, 1 opens a block, 2 defines an abbreviation, 3 is a record without an
//! abbreviation, and 4 upwards name the abbreviations in force. The format is documented in LLVM's `BitCodeFormat`.
//!
//! [`Cursor`] walks one block at a time; blocks that nobody wants are stepped over by their length word. Input can ask
//! for far more work than its size (records of a hundred operands that take no bits at all), therefore a [`Cursor`]
//! carries fuel and stops when it is used up.

use std::ops::Range;

/// Operands of one record that are kept. Records beyond that are tables or constant data, which nobody asks for.
const MAX_KEPT_OPERANDS: usize = 1 << 16;

/// Operands that one abbreviation may have. LLVM's writer never comes near it.
const MAX_ABBREVIATION_OPERANDS: u64 = 256;

/// Abbreviations that one stream may define, and the operands of all of them together. LLVM's writer defines about
/// thirty a module.
const MAX_ABBREVIATIONS: usize = 4096;
const MAX_ALL_ABBREVIATION_OPERANDS: u64 = 1 << 16;

/// The block id of `BLOCKINFO`, which defines abbreviations for other blocks.
const BLOCKINFO: u32 = 0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operand {
    Literal(u64),
    Fixed(u32),
    Vbr(u32),
    Char6,
    Array,
    Blob,
}

/// What the cursor found next in the current block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    /// The end of the block, or of the stream at the top level.
    End,
    /// A block starts. [`Cursor::enter`] or [`Cursor::skip`] has to follow.
    Block(u32),
    /// A record; its operands are in [`Cursor::operands`].
    Record(u32),
}

/// Why a bitstream cannot be read further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    Truncated,
    Malformed(&'static str),
    OutOfFuel,
}

type Result<T> = std::result::Result<T, Fault>;

/// An open block.
#[derive(Clone, Debug)]
struct Scope {
    block: u32,
    /// Bits of an abbreviation id.
    id_width: u32,
    /// Where the block ends, in bits.
    end: u64,
    /// Abbreviations defined in the block itself, as indices into `Cursor::abbreviations`.
    local: Vec<u32>,
}

/// A block that was announced and neither entered nor skipped yet.
#[derive(Clone, Copy, Debug)]
struct Pending {
    block: u32,
    id_width: u32,
    body: u64,
    end: u64,
}

/// A position in a bitstream.
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    /// In bits.
    position: u64,
    fuel: u64,
    scopes: Vec<Scope>,
    pending: Option<Pending>,
    /// All abbreviations, in the order of their definition.
    abbreviations: Vec<Vec<Operand>>,
    abbreviation_operands: u64,
    has_cut_block: bool,
    /// `BLOCKINFO`: the abbreviations that a block of this id starts with.
    inherited: Vec<(u32, Vec<u32>)>,
    operands: Vec<u64>,
    blob: Range<usize>,
}

impl<'a> Cursor<'a> {
    /// A cursor at the top level of the stream that starts at the first byte of `bytes`, after the magic number.
    pub(crate) fn new(bytes: &'a [u8]) -> Cursor<'a> {
        let length = bytes.len() as u64;
        Cursor {
            bytes,
            position: 32.min(length * 8),
            // Each operand of honest input takes at least one bit; literals are few.
            fuel: length.saturating_mul(8).saturating_add(4096),
            scopes: vec![Scope { block: u32::MAX, id_width: 2, end: length * 8, local: Vec::new() }],
            pending: None,
            abbreviations: Vec::new(),
            abbreviation_operands: 0,
            has_cut_block: false,
            inherited: Vec::new(),
            operands: Vec::new(),
            blob: 0..0,
        }
    }

    /// Where the cursor stands, in bytes from the start of the stream.
    pub(crate) fn byte_position(&self) -> u64 {
        self.position / 8
    }

    /// Whether a block was met that is longer than what is left.
    pub(crate) fn has_cut_block(&self) -> bool {
        self.has_cut_block
    }

    /// The operands of the last record, without its code.
    pub(crate) fn operands(&self) -> &[u64] {
        &self.operands
    }

    /// The operand `index` of the last record.
    pub(crate) fn operand(&self, index: usize) -> Option<u64> {
        self.operands.get(index).copied()
    }

    /// The blob of the last record, empty if it has none.
    pub(crate) fn blob(&self) -> &'a [u8] {
        self.bytes.get(self.blob.clone()).unwrap_or_default()
    }

    /// The operands of the last record from `start` on as the bytes of a string.
    pub(crate) fn text(&self, start: usize) -> Vec<u8> {
        self.operands.iter().skip(start).map(|&operand| operand as u8).collect()
    }

    /// The next item of the current block. `BLOCKINFO` and definitions of abbreviations are taken in on the way.
    pub(crate) fn next(&mut self) -> Result<Item> {
        self.skip();
        loop {
            let Some(scope) = self.scopes.last() else { return Ok(Item::End) };
            let (end, id_width) = (scope.end, scope.id_width);
            if self.scopes.len() == 1 && (self.position + 32 > end || self.rest_is_padding()) {
                return Ok(Item::End);
            }
            if self.position >= end {
                return Err(Fault::Malformed("a block runs past its stated length"));
            }
            match self.fixed(id_width)? {
                0 if self.scopes.len() == 1 => {
                    let rest = self.bytes.get((self.position / 8) as usize..).unwrap_or_default();
                    if rest.iter().all(|&byte| byte == 0) {
                        self.position = end;
                        return Ok(Item::End);
                    }
                    return Err(Fault::Malformed("a block ends that was not opened"));
                }
                0 => {
                    // The length word, not the position, says where the parent continues.
                    self.position = end;
                    self.scopes.pop();
                    return Ok(Item::End);
                }
                1 => {
                    let pending = self.block_header()?;
                    if pending.block != BLOCKINFO {
                        self.pending = Some(pending);
                        return Ok(Item::Block(pending.block));
                    }
                    self.block_info(pending)?;
                }
                2 => {
                    let abbreviation = self.define_abbreviation()?;
                    if let Some(scope) = self.scopes.last_mut() {
                        scope.local.push(abbreviation);
                    }
                }
                3 => return self.plain_record().map(Item::Record),
                id => return self.abbreviated_record(id as usize - 4).map(Item::Record),
            }
        }
    }

    /// Enters the block that was just announced.
    pub(crate) fn enter(&mut self) {
        if let Some(pending) = self.pending.take() {
            self.position = pending.body;
            let Pending { block, id_width, end, .. } = pending;
            self.scopes.push(Scope { block, id_width, end, local: Vec::new() });
        }
    }

    /// Steps over the block that was just announced, if it was not entered.
    pub(crate) fn skip(&mut self) {
        if let Some(pending) = self.pending.take() {
            self.position = pending.end;
        }
    }

    /// Leaves the current block early.
    pub(crate) fn leave(&mut self) {
        self.pending = None;
        if self.scopes.len() > 1
            && let Some(scope) = self.scopes.pop()
        {
            self.position = scope.end;
        }
    }

    /// Whether only zeros follow: writers pad modules to 4 or 16 bytes.
    fn rest_is_padding(&self) -> bool {
        let rest = self.bytes.get((self.position / 8) as usize..).unwrap_or_default();
        rest.len() < 16 && rest.iter().all(|&byte| byte == 0)
    }

    fn spend(&mut self, amount: u64) -> Result<()> {
        match self.fuel.checked_sub(amount) {
            Some(left) => {
                self.fuel = left;
                Ok(())
            }
            None => Err(Fault::OutOfFuel),
        }
    }

    /// Reads `width` bits, at most 64, lowest bit first.
    fn fixed(&mut self, width: u32) -> Result<u64> {
        if width == 0 {
            return Ok(0);
        }
        let limit = self.scopes.last().map_or(0, |scope| scope.end);
        let end = self.position + u64::from(width);
        if end > limit {
            return Err(Fault::Truncated);
        }
        let byte = (self.position / 8) as usize;
        let shift = (self.position % 8) as u32;
        let low = self.word(byte);
        let mut value = low >> shift;
        if shift + width > 64 {
            value |= self.word(byte + 8) << (64 - shift);
        }
        self.position = end;
        Ok(if width >= 64 { value } else { value & ((1 << width) - 1) })
    }

    /// Eight bytes as a little-endian number, with zeros for what lies behind the end.
    fn word(&self, byte: usize) -> u64 {
        let rest = self.bytes.get(byte..).unwrap_or_default();
        if let Some(word) = rest.first_chunk::<8>() {
            return u64::from_le_bytes(*word);
        }
        let mut word = [0; 8];
        for (to, from) in word.iter_mut().zip(rest) {
            *to = *from;
        }
        u64::from_le_bytes(word)
    }

    /// Reads a number in chunks of `width` bits of which the highest says that more follow.
    fn vbr(&mut self, width: u32) -> Result<u64> {
        if width < 2 {
            return Err(Fault::Malformed("a variable-width number has chunks of less than two bits"));
        }
        let more = 1u64 << (width - 1);
        let mut value = 0u64;
        let mut shift = 0u32;
        loop {
            let chunk = self.fixed(width)?;
            if shift < 64 {
                value |= (chunk & (more - 1)) << shift;
            }
            if chunk & more == 0 {
                return Ok(value);
            }
            // A longer number is malformed, but its end is known; the excess is dropped.
            shift = shift.saturating_add(width - 1);
        }
    }

    fn align(&mut self) -> Result<()> {
        let aligned = self.position.div_ceil(32) * 32;
        if aligned > self.scopes.last().map_or(0, |scope| scope.end) {
            return Err(Fault::Truncated);
        }
        self.position = aligned;
        Ok(())
    }

    fn block_header(&mut self) -> Result<Pending> {
        let block = self.vbr(8)?;
        let id_width = self.vbr(4)?;
        self.align()?;
        let words = self.fixed(32)?;
        let stated_end = self.position + words * 32;
        let limit = self.scopes.last().map_or(0, |scope| scope.end);
        // The start of a file that was cut off is worth reading.
        let end = stated_end.min(limit);
        self.has_cut_block |= end < stated_end;
        if !(2..=32).contains(&id_width) {
            return Err(Fault::Malformed("the width of abbreviation ids is not between 2 and 32"));
        }
        Ok(Pending {
            block: u32::try_from(block).map_err(|_| Fault::Malformed("a block id exceeds 32 bits"))?,
            id_width: id_width as u32,
            body: self.position,
            end,
        })
    }

    fn plain_record(&mut self) -> Result<u32> {
        let code = self.vbr(6)?;
        let count = self.vbr(6)?;
        self.operands.clear();
        self.blob = 0..0;
        for _ in 0..count {
            self.spend(1)?;
            let value = self.vbr(6)?;
            if self.operands.len() < MAX_KEPT_OPERANDS {
                self.operands.push(value);
            }
        }
        Ok(code as u32)
    }

    fn abbreviated_record(&mut self, index: usize) -> Result<u32> {
        let abbreviation = self.lookup(index).ok_or(Fault::Malformed("a record uses an undefined abbreviation"))?;
        // Taken out for the duration of the record, which cannot define abbreviations.
        let operands = std::mem::take(&mut self.abbreviations[abbreviation]);
        let result = self.abbreviated_operands(&operands);
        self.abbreviations[abbreviation] = operands;
        result?;
        if self.operands.is_empty() {
            return Err(Fault::Malformed("a record has no code"));
        }
        Ok(self.operands.remove(0) as u32)
    }

    fn lookup(&self, index: usize) -> Option<usize> {
        let scope = self.scopes.last()?;
        let inherited = self.inherited.iter().find(|(block, _)| *block == scope.block);
        let inherited = inherited.map_or(&[][..], |(_, list)| list);
        let found = inherited.get(index).or_else(|| scope.local.get(index - inherited.len().min(index)))?;
        let found = *found as usize;
        (found < self.abbreviations.len()).then_some(found)
    }

    fn abbreviated_operands(&mut self, abbreviation: &[Operand]) -> Result<()> {
        self.operands.clear();
        self.blob = 0..0;
        let mut rest = abbreviation.iter();
        while let Some(&operand) = rest.next() {
            match operand {
                Operand::Array => {
                    let &element = rest.next().ok_or(Fault::Malformed("an array has no element type"))?;
                    let count = self.vbr(6)?;
                    for _ in 0..count {
                        self.scalar(element)?;
                    }
                }
                Operand::Blob => {
                    let size = self.vbr(6)?;
                    self.align()?;
                    let limit = self.scopes.last().map_or(0, |scope| scope.end);
                    let end = size.checked_mul(8).and_then(|bits| bits.checked_add(self.position));
                    let end = end.filter(|&end| end <= limit).ok_or(Fault::Truncated)?;
                    self.blob = (self.position / 8) as usize..(end / 8) as usize;
                    self.position = end;
                    self.align()?;
                }
                scalar => self.scalar(scalar)?,
            }
        }
        Ok(())
    }

    fn scalar(&mut self, operand: Operand) -> Result<()> {
        self.spend(1)?;
        let value = match operand {
            Operand::Literal(value) => value,
            Operand::Fixed(width) => self.fixed(width)?,
            Operand::Vbr(width) => self.vbr(width)?,
            Operand::Char6 => {
                const ALPHABET: &[u8; 64] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
                u64::from(ALPHABET[self.fixed(6)? as usize & 63])
            }
            Operand::Array | Operand::Blob => return Err(Fault::Malformed("an array of arrays or blobs")),
        };
        if self.operands.len() < MAX_KEPT_OPERANDS {
            self.operands.push(value);
        }
        Ok(())
    }

    fn define_abbreviation(&mut self) -> Result<u32> {
        let count = self.vbr(5)?;
        self.abbreviation_operands += count.min(MAX_ALL_ABBREVIATION_OPERANDS);
        if count > MAX_ABBREVIATION_OPERANDS
            || self.abbreviation_operands > MAX_ALL_ABBREVIATION_OPERANDS
            || self.abbreviations.len() == MAX_ABBREVIATIONS
        {
            return Err(Fault::OutOfFuel);
        }
        let mut operands = Vec::with_capacity(count as usize);
        for _ in 0..count {
            self.spend(1)?;
            if self.fixed(1)? == 1 {
                operands.push(Operand::Literal(self.vbr(8)?));
                continue;
            }
            operands.push(match self.fixed(3)? {
                // LLVM's reader takes a width of zero for the literal 0.
                encoding @ (1 | 2) => match self.vbr(5)? {
                    0 => Operand::Literal(0),
                    width if width > 64 => return Err(Fault::Malformed("an operand is wider than 64 bits")),
                    width if encoding == 1 => Operand::Fixed(width as u32),
                    width => Operand::Vbr(width as u32),
                },
                3 => Operand::Array,
                4 => Operand::Char6,
                5 => Operand::Blob,
                _ => return Err(Fault::Malformed("an operand has an unknown encoding")),
            });
        }
        let index = self.abbreviations.len() as u32;
        self.abbreviations.push(operands);
        Ok(index)
    }

    fn block_info(&mut self, pending: Pending) -> Result<()> {
        const SETBID: u32 = 1;
        self.pending = Some(pending);
        self.enter();
        let mut target: Option<usize> = None;
        loop {
            let Some(scope) = self.scopes.last() else { return Ok(()) };
            let id_width = scope.id_width;
            match self.fixed(id_width)? {
                0 => {
                    self.leave();
                    return Ok(());
                }
                1 => {
                    let nested = self.block_header()?;
                    self.position = nested.end;
                }
                2 => {
                    let abbreviation = self.define_abbreviation()?;
                    let target = target.ok_or(Fault::Malformed("an abbreviation is defined for no block"))?;
                    self.inherited[target].1.push(abbreviation);
                }
                3 => {
                    if self.plain_record()? == SETBID {
                        let block = self.operand(0).unwrap_or(0) as u32;
                        let known = self.inherited.iter().position(|(id, _)| *id == block);
                        target = Some(known.unwrap_or(self.inherited.len()));
                        if known.is_none() {
                            // LLVM knows 27 kinds of block; a long list here would make every look-up slow.
                            if self.inherited.len() == 64 {
                                return Err(Fault::Malformed("abbreviations are defined for too many blocks"));
                            }
                            self.inherited.push((block, Vec::new()));
                        }
                    }
                }
                _ => return Err(Fault::Malformed("an abbreviated record in BLOCKINFO")),
            }
        }
    }
}
