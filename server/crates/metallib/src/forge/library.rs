//! Builds metallibs.

use sha2::{Digest, Sha256};

/// A function of a forged library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForgedFunction {
    pub name: String,
    /// `TYPE`: 0 vertex, 1 fragment, 2 kernel, 3 unqualified, 4 visible, 6 intersection.
    pub kind: u8,
    /// `VERS`: AIR major, AIR minor, language major, language minor; left out if `None`.
    pub versions: Option<[u16; 4]>,
    /// The bytes of the module. Equal modules are stored once.
    pub module: Vec<u8>,
    /// `DEBI`: path and line.
    pub source: Option<(String, u32)>,
    /// Whether to write the hash of the module, or a wrong one.
    pub has_right_hash: bool,
}

impl ForgedFunction {
    pub fn kernel(name: &str, versions: [u16; 4], module: Vec<u8>) -> ForgedFunction {
        ForgedFunction {
            name: name.to_owned(),
            kind: 2,
            versions: Some(versions),
            module,
            source: None,
            has_right_hash: true,
        }
    }
}

/// A library to be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForgedLibrary {
    /// The last part of the container version 1.2.x.
    pub container_patch: u16,
    /// Byte 10: 0 executable, 2 dynamic library; 0x80 marks a stub.
    pub file_type: u8,
    /// Byte 11: the platform, with 0x80 for 64-bit.
    pub platform: u8,
    pub deployment_target: (u16, u8, u8),
    pub functions: Vec<ForgedFunction>,
    /// The name in the dynamic header; no header if `None`.
    pub install_name: Option<String>,
    pub linked_libraries: Vec<String>,
    /// Names in the list of imported symbols.
    pub imported_symbols: Vec<String>,
    /// The link command and the working directory of embedded sources.
    pub link_command: Option<(String, String)>,
}

impl ForgedLibrary {
    /// An executable library for macOS 26.
    pub fn new(functions: Vec<ForgedFunction>) -> ForgedLibrary {
        ForgedLibrary {
            container_patch: 9,
            file_type: 0,
            platform: 0x81,
            deployment_target: (26, 0, 0),
            functions,
            install_name: None,
            linked_libraries: Vec::new(),
            imported_symbols: Vec::new(),
            link_command: None,
        }
    }

    /// The bytes of the library.
    pub fn build(&self) -> Vec<u8> {
        let mut modules: Vec<(Vec<u8>, u64)> = Vec::new();
        let mut bitcode = Vec::new();
        let mut private = Vec::new();
        let mut public = Vec::new();
        let mut list = (self.functions.len() as u32).to_le_bytes().to_vec();
        for function in &self.functions {
            let known = modules.iter().find(|(module, _)| *module == function.module).map(|(_, offset)| *offset);
            let offset = known.unwrap_or_else(|| {
                let offset = bitcode.len() as u64;
                bitcode.extend(&function.module);
                modules.push((function.module.clone(), offset));
                offset
            });
            let mut hash: Vec<u8> = Sha256::digest(&function.module).to_vec();
            if !function.has_right_hash {
                hash[0] ^= 1;
            }
            let places = [public.len() as u64, private.len() as u64, offset];
            let mut tags = Tags::default();
            tags.text(b"NAME", &function.name);
            tags.add(b"TYPE", &[function.kind]);
            tags.add(b"HASH", &hash);
            tags.add(b"OFFT", &places.map(u64::to_le_bytes).concat());
            if let Some(versions) = function.versions {
                tags.add(b"VERS", &versions.map(u16::to_le_bytes).concat());
            }
            tags.add(b"MDSZ", &(function.module.len() as u64).to_le_bytes());
            let group = tags.finish();
            // In the function list a size counts itself, in the metadata it does not.
            list.extend((group.len() as u32 + 4).to_le_bytes());
            list.extend(group);
            let mut tags = Tags::default();
            if let Some((path, line)) = &function.source {
                let mut payload = line.to_le_bytes().to_vec();
                payload.extend(path.bytes().chain([0]));
                tags.add(b"DEBI", &payload);
            }
            for (section, group) in [(&mut private, tags.finish()), (&mut public, Tags::default().finish())] {
                section.extend((group.len() as u32).to_le_bytes());
                section.extend(group);
            }
        }
        self.assemble(&list, &public, &private, &bitcode)
    }

    fn assemble(&self, list: &[u8], public: &[u8], private: &[u8], bitcode: &[u8]) -> Vec<u8> {
        const HEADER_SIZE: usize = 88;
        let mut extras: Vec<(&[u8; 4], Vec<u8>)> = Vec::new();
        if let Some(name) = &self.install_name {
            let mut tags = Tags::default();
            tags.text(b"NAME", name);
            for linked in &self.linked_libraries {
                tags.text(b"DYNL", linked);
            }
            extras.push((b"HDYN", tags.finish()));
        }
        if !self.imported_symbols.is_empty() {
            let mut section = (self.imported_symbols.len() as u32).to_le_bytes().to_vec();
            for name in &self.imported_symbols {
                let mut tags = Tags::default();
                tags.text(b"NAME", name);
                let group = tags.finish();
                section.extend((group.len() as u32 + 4).to_le_bytes());
                section.extend(group);
            }
            extras.push((b"ILST", section));
        }
        if let Some((command, directory)) = &self.link_command {
            let mut section = 0u32.to_le_bytes().to_vec();
            section.extend(command.bytes().chain([0]).chain(directory.bytes()).chain([0]));
            extras.push((b"HSRD", section));
        }
        // Each tag of the extension takes 6 + 16 bytes, the end 4.
        let extension_size = extras.len() * 22 + 4;
        let public_offset = HEADER_SIZE + list.len() + extension_size;
        let private_offset = public_offset + public.len();
        let bitcode_offset = private_offset + private.len();
        let mut offset = bitcode_offset + bitcode.len();
        let mut extension = Tags::default();
        for (id, section) in &extras {
            extension.add(id, &[offset as u64, section.len() as u64].map(u64::to_le_bytes).concat());
            offset += section.len();
        }
        let mut file = b"MTLB".to_vec();
        for field in [0x8001, 2, self.container_patch] {
            file.extend(field.to_le_bytes());
        }
        file.extend([self.file_type, self.platform]);
        let (major, minor, update) = self.deployment_target;
        file.extend(major.to_le_bytes());
        file.extend([minor, update]);
        let fields = [
            offset,
            HEADER_SIZE,
            list.len() - 4,
            public_offset,
            public.len(),
            private_offset,
            private.len(),
            bitcode_offset,
            bitcode.len(),
        ];
        for field in fields {
            file.extend((field as u64).to_le_bytes());
        }
        file.extend(list);
        file.extend(extension.finish());
        for section in [public, private, bitcode].into_iter().chain(extras.iter().map(|(_, section)| &section[..])) {
            file.extend(section);
        }
        file
    }
}

#[derive(Default)]
struct Tags(Vec<u8>);

impl Tags {
    fn add(&mut self, id: &[u8; 4], payload: &[u8]) {
        self.0.extend(id);
        self.0.extend((payload.len() as u16).to_le_bytes());
        self.0.extend(payload);
    }

    fn text(&mut self, id: &[u8; 4], text: &str) {
        let payload: Vec<u8> = text.bytes().chain([0]).collect();
        self.add(id, &payload);
    }

    fn finish(mut self) -> Vec<u8> {
        self.0.extend(b"ENDT");
        self.0
    }
}
