//! Builds archives and universal files.

/// How an archive writes names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArchiveDialect {
    /// Long names in front of the contents; written by Apple's tools.
    Bsd,
    /// Long names in a member of their own; written by GNU and LLVM tools.
    Gnu,
}

/// An archive of members with a symbol table in front.
pub fn archive(dialect: ArchiveDialect, members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut file = b"!<arch>\n".to_vec();
    match dialect {
        ArchiveDialect::Bsd => {
            member(&mut file, "__.SYMDEF SORTED", b"\0\0\0\0\0\0\0\0");
            for (name, contents) in members {
                let mut stored: Vec<u8> = name.bytes().collect();
                stored.resize(stored.len().next_multiple_of(8), 0);
                let field = format!("#1/{}", stored.len());
                stored.extend(*contents);
                member(&mut file, &field, &stored);
            }
        }
        ArchiveDialect::Gnu => {
            member(&mut file, "/", b"\0\0\0\0");
            let mut long_names = String::new();
            let mut fields = Vec::new();
            for (name, _) in members {
                if name.len() < 16 {
                    fields.push(format!("{name}/"));
                } else {
                    fields.push(format!("/{}", long_names.len()));
                    long_names += &format!("{name}/\n");
                }
            }
            member(&mut file, "//", long_names.as_bytes());
            for (field, (_, contents)) in fields.iter().zip(members) {
                member(&mut file, field, contents);
            }
        }
    }
    file
}

/// A thin archive, which names its members and holds none of them.
pub fn thin_archive(members: &[(&str, u64)]) -> Vec<u8> {
    let mut file = b"!<thin>\n".to_vec();
    let names: String = members.iter().map(|(name, _)| format!("{name}/\n")).collect();
    member(&mut file, "//", names.as_bytes());
    let mut offset = 0;
    for (name, size) in members {
        header(&mut file, &format!("/{offset}"), *size);
        offset += name.len() + 2;
    }
    file
}

fn header(file: &mut Vec<u8>, name: &str, size: u64) {
    file.extend(format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{size:<10}`\n", 0, 0, 0, 644).bytes());
}

fn member(file: &mut Vec<u8>, name: &str, contents: &[u8]) {
    header(file, name, contents.len() as u64);
    file.extend(contents);
    if contents.len() % 2 == 1 {
        file.push(b'\n');
    }
}

/// A universal file with a magic number and slices of CPU type, subtype and contents.
pub fn fat(magic: u32, slices: &[(u32, u32, &[u8])]) -> Vec<u8> {
    let mut file = Vec::new();
    for word in [magic, slices.len() as u32] {
        file.extend(word.to_be_bytes());
    }
    let mut offset = (8 + slices.len() * 20).next_multiple_of(16);
    let first = offset;
    for (cpu_type, subtype, contents) in slices {
        for word in [*cpu_type, *subtype, offset as u32, contents.len() as u32, 4] {
            file.extend(word.to_be_bytes());
        }
        offset = (offset + contents.len()).next_multiple_of(16);
    }
    file.resize(first, 0);
    for (_, _, contents) in slices {
        file.extend(*contents);
        file.resize(file.len().next_multiple_of(16), 0);
    }
    file
}
