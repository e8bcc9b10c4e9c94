//! The committed parser belongs to the committed grammar: `src/generated.sha256` says so and holds.
//!
//! `check-generated.sh --full` generates anew and compares bytes; this test needs no tool and runs every time.

use std::fs;
use std::path::Path;

#[test]
fn every_file_has_the_recorded_digest() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let record = fs::read_to_string(folder.join("src/generated.sha256")).expect("the record");
    let mut files = Vec::new();
    for line in record.lines() {
        let (digest, file) = line.split_once("  ").expect("the format of sha256sum");
        let bytes = fs::read(folder.join(file)).expect(file);
        assert_eq!(sha256(&bytes), digest, "{file} is not what the parser was generated with: run regenerate.sh");
        files.push(file);
    }
    for file in ["grammar.js", "package-lock.json", "regenerate.sh", "src/scanner.c", "src/parser.c"] {
        assert!(files.contains(&file), "{file} is not recorded");
    }
}

#[test]
fn sha256_of_known_texts() {
    // FIPS 180-4, the examples of NIST.
    assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_eq!(sha256(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

/// SHA-256 (FIPS 180-4) in lower-case hexadecimal. Written out, because a dependency for one test is one too many.
fn sha256(message: &[u8]) -> String {
    let primes: Vec<u32> = (2u32..).filter(|n| (2..*n).all(|divisor| n % divisor != 0)).take(64).collect();
    // The first 32 bits of the fractional part of a root, exact in integers.
    let square_root = |prime: u32| integer_root(u128::from(prime) << 64, 2) as u32;
    let cube_root = |prime: u32| integer_root(u128::from(prime) << 96, 3) as u32;
    let mut state: Vec<u32> = primes[..8].iter().map(|&prime| square_root(prime)).collect();
    let constants: Vec<u32> = primes.iter().map(|&prime| cube_root(prime)).collect();

    let mut padded = message.to_vec();
    padded.push(0x80);
    padded.resize(padded.len().next_multiple_of(64), 0);
    if padded.len() - message.len() < 9 {
        padded.resize(padded.len() + 64, 0);
    }
    let length_at = padded.len() - 8;
    padded[length_at..].copy_from_slice(&(message.len() as u64 * 8).to_be_bytes());

    for block in padded.chunks_exact(64) {
        let mut words: Vec<u32> =
            block.chunks_exact(4).map(|word| u32::from_be_bytes([word[0], word[1], word[2], word[3]])).collect();
        for i in 16..64 {
            let (a, b) = (words[i - 15], words[i - 2]);
            let s0 = a.rotate_right(7) ^ a.rotate_right(18) ^ (a >> 3);
            let s1 = b.rotate_right(17) ^ b.rotate_right(19) ^ (b >> 10);
            words.push(words[i - 16].wrapping_add(s0).wrapping_add(words[i - 7]).wrapping_add(s1));
        }
        let mut v = state.clone();
        for i in 0..64 {
            let s1 = v[4].rotate_right(6) ^ v[4].rotate_right(11) ^ v[4].rotate_right(25);
            let choice = (v[4] & v[5]) ^ (!v[4] & v[6]);
            let t1 = v[7].wrapping_add(s1).wrapping_add(choice).wrapping_add(constants[i]).wrapping_add(words[i]);
            let s0 = v[0].rotate_right(2) ^ v[0].rotate_right(13) ^ v[0].rotate_right(22);
            let majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
            v.rotate_right(1);
            v[4] = v[4].wrapping_add(t1);
            v[0] = t1.wrapping_add(s0).wrapping_add(majority);
        }
        for (sum, value) in state.iter_mut().zip(v) {
            *sum = sum.wrapping_add(value);
        }
    }
    state.iter().map(|word| format!("{word:08x}")).collect()
}

/// The largest integer whose power does not exceed `value`.
fn integer_root(value: u128, power: u32) -> u128 {
    let (mut low, mut high) = (0u128, 1u128 << 40);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if middle.pow(power) <= value { low = middle } else { high = middle }
    }
    low
}
