//! Modules as text and as bitcode, and the bitcode of old compilers.

use expect_test::expect;
use msl_metallib::forge::BitWriter;
use msl_metallib::{Linkage, Module, ModuleForm, ProblemKind, Producer, SymbolKind, Version, read_bitcode, read_text};

const TEXT: &[u8] = include_bytes!("data/both_forms.ll");
const BITCODE: &[u8] = include_bytes!("data/both_forms.bc");

fn symbols(module: &Module<'_>) -> Vec<String> {
    let mut symbols: Vec<String> = module
        .symbols
        .iter()
        .map(|symbol| {
            let place = if symbol.is_definition { "defined" } else { "declared" };
            format!("{:?} {} {place} {:?}", symbol.kind, symbol.name_lossy(), symbol.linkage)
        })
        .collect();
    symbols.sort();
    symbols
}

#[test]
fn text_and_bitcode_say_the_same() {
    let (text, bitcode) = (read_text(TEXT), read_bitcode(BITCODE));
    assert!(bitcode.problems.is_empty(), "{:?}", bitcode.problems);
    assert_eq!((text.form, bitcode.form), (ModuleForm::Text, ModuleForm::WrappedBitcode { cpu_type: u32::MAX }));
    assert_eq!(symbols(&text), symbols(&bitcode));
    expect![[r#"
        Alias other_name defined External
        Function _Z3fooPU9MTLthreadf defined External
        Function _Z6sharedv defined Weak
        Function _Z7outsidePU9MTLdevicefm declared External
        Function _ZL6helperv defined Local
        Function air.wg.barrier declared External
        Function kernel41 defined External
        Variable _ZL5table defined Local
        Variable imported declared External
        Variable llvm.used defined Appending
        Variable maybe declared Weak
        Variable name with "quotes" defined External"#]]
    .assert_eq(&symbols(&bitcode).join("\n"));
    for module in [&text, &bitcode] {
        assert_eq!(module.triple.as_deref(), Some("air64_v29-apple-macosx27.0.0"));
        assert_eq!(module.source_file_name.as_deref(), Some("both_forms.metal"));
        assert_eq!(module.air_source_file_name.as_deref(), Some("/src/both_forms.metal"));
        assert_eq!(module.ident, ["Apple metal version 32023.921 (metalfe-32023.921.6)"]);
        assert_eq!(module.producer(), Producer::Apple);
        assert_eq!(module.air_version, Some(Version::new(2, 9)));
        let language = module.language.as_ref().unwrap();
        assert_eq!((language.name.as_str(), language.version, language.patch), ("Metal", Version::new(4, 1), 0));
        let options = ["denorms_disable", "fast_math_enable", "framebuffer_fetch_enable"];
        assert_eq!(module.compile_options, options.map(|option| format!("air.compile.{option}")));
        let imports: Vec<_> = module.imports().map(|symbol| symbol.name_lossy().into_owned()).collect();
        assert_eq!(imports, ["imported", "maybe", "_Z7outsidePU9MTLdevicefm"]);
    }
    assert_eq!((text.identification, bitcode.identification.as_deref()), (None, Some("LLVM14.0.6")));
}

#[test]
fn text_with_carriage_returns() {
    let text = String::from_utf8(TEXT.to_vec()).unwrap().replace('\n', "\r\n");
    assert_eq!(symbols(&read_text(text.as_bytes())), symbols(&read_text(TEXT)));
    assert_eq!(read_text(text.as_bytes()).language, read_text(TEXT).language);
}

/// A module in the form of LLVM 3.5, which AIR 1.8 uses: version 1, names in a value symbol table, metadata nodes that
/// refer to values directly.
fn old_module() -> Vec<u8> {
    let mut writer = BitWriter::bitcode();
    writer.enter(8, 3);
    writer.record(1, &[1]);
    // TYPE: i32, a struct with a name, metadata.
    writer.enter(17, 4);
    writer.record(1, &[3]);
    writer.record(7, &[32]);
    writer.text_record(19, &[], "struct.name");
    writer.record(18, &[0, 0]);
    writer.record(16, &[]);
    writer.end();
    writer.text_record(2, &[], "air64-apple-macosx10.11.0");
    writer.record(7, &[0, 1, 0, 0, 0, 0]);
    writer.record(8, &[0, 0, 0, 0, 0, 0, 0, 0]);
    writer.record(8, &[0, 0, 1, 0, 0, 0, 0, 0]);
    // CONSTANTS: values 3, 4 and 5 are 1, 8 and 0.
    writer.enter(11, 4);
    writer.record(1, &[0]);
    writer.record(4, &[2]);
    writer.record(4, &[16]);
    writer.record(2, &[]);
    writer.end();
    // METADATA: "Metal", its node, and that of the AIR version.
    writer.enter(15, 3);
    writer.text_record(1, &[], "Metal");
    writer.record(8, &[2, 0, 0, 3, 0, 3, 0, 5]);
    writer.record(8, &[0, 3, 0, 4, 0, 5]);
    writer.text_record(4, &[], "air.language_version");
    writer.record(10, &[1]);
    writer.text_record(4, &[], "air.version");
    writer.record(10, &[2]);
    writer.end();
    // VALUE_SYMTAB, in any order.
    writer.enter(14, 4);
    writer.text_record(1, &[2], "air.convert");
    writer.text_record(1, &[0], "_ZL5table");
    writer.text_record(3, &[1, 77], "vs_blit");
    writer.end();
    writer.end();
    writer.finish()
}

#[test]
fn old_bitcode() {
    let bytes = old_module();
    let module = read_bitcode(&bytes);
    assert!(module.problems.is_empty(), "{:?}", module.problems);
    let names: Vec<_> = module.symbols.iter().map(|symbol| symbol.name_lossy().into_owned()).collect();
    assert_eq!(names, ["_ZL5table", "vs_blit", "air.convert"]);
    let kinds: Vec<_> = module.symbols.iter().map(|symbol| (symbol.kind, symbol.is_definition)).collect();
    let (variable, function) = (SymbolKind::Variable, SymbolKind::Function);
    assert_eq!(kinds, [(variable, false), (function, true), (function, false)]);
    assert_eq!(module.symbols[0].linkage, Linkage::External);
    assert_eq!(module.air_version, Some(Version::new(1, 8)));
    assert_eq!(module.language.unwrap().version, Version::new(1, 1));
}

#[test]
fn bitcode_that_asks_for_too_much() {
    // An array of a billion elements that take no bits.
    let mut writer = BitWriter::bitcode();
    writer.enter(8, 3);
    writer.id(2);
    writer.vbr(3, 5);
    writer.fixed(1, 1);
    writer.vbr(2, 8);
    writer.fixed(0, 1);
    writer.fixed(3, 3);
    writer.fixed(0, 1);
    writer.fixed(1, 3);
    writer.vbr(0, 5);
    writer.id(4);
    writer.vbr(1 << 30, 6);
    writer.end();
    let bytes = writer.finish();
    let messages: Vec<_> = read_bitcode(&bytes).problems.iter().map(|problem| problem.message.clone()).collect();
    assert_eq!(messages, ["the bitcode asks for more work than its size allows"]);
}

#[test]
fn damaged_bitcode_keeps_what_came_before() {
    let module = read_bitcode(&BITCODE[..BITCODE.len() / 2]);
    assert!(!module.problems.is_empty());
    assert!(read_bitcode(b"").problems.list()[0].message.contains("no bitcode magic number"));
    let wrapper: Vec<u8> = [0x0B17_C0DE_u32, 0, 20, 1000, 7].iter().flat_map(|word| word.to_le_bytes()).collect();
    // LLVM writes the wrapper, too, for targets of Apple's.
    let bytes = [&wrapper, &BITCODE[20..]].concat();
    let module = read_bitcode(&bytes);
    assert_eq!(module.form, ModuleForm::WrappedBitcode { cpu_type: 7 });
    assert!(module.problems.has(ProblemKind::Truncated));
    assert_eq!(module.triple.as_deref(), Some("air64_v29-apple-macosx27.0.0"));
}
