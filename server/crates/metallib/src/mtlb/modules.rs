//! The bitcode of a library: which modules there are, which functions share one, and whether hashes agree.

use sha2::{Digest, Sha256};

use super::{Function, Library};
use crate::bitcode::{read_bitcode, wrapped_size};
use crate::bytes;
use crate::module::Module;
use crate::problem::{ProblemKind, Problems};

/// Linkers pad modules to a multiple of this many bytes. Hashes cover the padding.
const MODULE_ALIGNMENT: u64 = 16;

/// The bitcode of one or several functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModuleRange<'a> {
    /// Where the module starts, in bytes from the start of the library.
    pub offset: u64,
    pub bytes: &'a [u8],
    /// The functions of the module: a range of [`ModuleList::functions`].
    first: u32,
    count: u32,
}

/// The modules of a library, each once, in the order of their place in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModuleList<'a> {
    pub modules: Vec<ModuleRange<'a>>,
    /// Numbers of functions, grouped by module.
    functions: Vec<u32>,
    /// Functions that have no module, or one outside the bitcode section.
    pub without_module: u32,
    pub problems: Problems,
}

impl<'a> ModuleList<'a> {
    /// The numbers of the functions that a module holds, ascending.
    pub fn functions_of(&self, module: &ModuleRange<'_>) -> &[u32] {
        let first = module.first as usize;
        self.functions.get(first..first + module.count as usize).unwrap_or_default()
    }
}

impl<'a> ModuleRange<'a> {
    /// Reads the module. Modules are independent of each other, so that a caller may do this on many threads.
    pub fn read(&self) -> Module<'a> {
        read_bitcode(self.bytes)
    }

    /// The SHA-256 of the module, to compare with [`Function::hash`].
    pub fn sha256(&self) -> [u8; 32] {
        Sha256::digest(self.bytes).into()
    }
}

/// The outcome of [`Library::check_hash`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HashCheck {
    /// The stated hash is that of the module.
    Matches,
    /// The module was changed after linking, or the hash was never right.
    Differs,
    /// There is no hash or no module.
    Absent,
}

impl<'a> Library<'a> {
    /// The bitcode of a function, if the library holds all of it.
    pub fn module_bytes(&self, function: &Function<'_>) -> Option<&'a [u8]> {
        let (offset, size) = self.module_place(function)?;
        bytes::range(self.bytes, offset, size)
    }

    /// Offset and size of a function's bitcode, in bytes from the start of the library.
    fn module_place(&self, function: &Function<'_>) -> Option<(u64, u64)> {
        let section = self.header?.bitcode;
        let start = function.offsets?.bitcode;
        let offset = section.offset.checked_add(start)?;
        let size = match function.module_size {
            Some(size) => size,
            // Libraries of AIR 1.8 state no sizes. The wrapper of the bitcode does, and modules are padded.
            None => wrapped_size(bytes::clipped_range(self.bytes, offset, 20))?.next_multiple_of(MODULE_ALIGNMENT),
        };
        let is_inside = start.checked_add(size)? <= section.size;
        is_inside.then_some((offset, size))
    }

    /// Reads the bitcode of a function.
    pub fn read_module(&self, function: &Function<'_>) -> Option<Module<'a>> {
        self.module_bytes(function).map(read_bitcode)
    }

    /// All modules, each once. Reads the function list, not the bitcode.
    ///
    /// Modules that overlap others are left out: reading them would cost more than the size of the file allows, and no
    /// linker writes them.
    pub fn modules(&self) -> ModuleList<'a> {
        let mut list = ModuleList::default();
        let mut places: Vec<(u64, u64, u32)> = Vec::new();
        for function in self.functions() {
            match self.module_place(&function) {
                Some((offset, size)) if bytes::range(self.bytes, offset, size).is_some() => {
                    places.push((offset, size, function.index));
                }
                _ => list.without_module += 1,
            }
        }
        places.sort_unstable();
        let mut end = 0;
        for (offset, size, function) in places {
            if let Some(last) = list.modules.last_mut()
                && last.offset == offset
                && last.bytes.len() as u64 == size
            {
                last.count += 1;
            } else if offset < end {
                let message = format!("the module of function {function} overlaps another module");
                list.problems.add(ProblemKind::Malformed, offset, message);
                list.without_module += 1;
                continue;
            } else {
                let bytes = bytes::range(self.bytes, offset, size).unwrap_or_default();
                end = offset + size;
                list.modules.push(ModuleRange { offset, bytes, first: list.functions.len() as u32, count: 1 });
            }
            list.functions.push(function);
        }
        list
    }

    /// Compares a function's hash with its module. For all functions of a library use [`ModuleRange::sha256`], because
    /// functions may share a module.
    pub fn check_hash(&self, function: &Function<'_>) -> HashCheck {
        match (function.hash, self.module_bytes(function)) {
            (Some(hash), Some(module)) if Sha256::digest(module)[..] == hash[..] => HashCheck::Matches,
            (Some(_), Some(_)) => HashCheck::Differs,
            _ => HashCheck::Absent,
        }
    }
}
