"""The signature of a program for macOS.

On Apple silicon the system starts nothing without a signature; that of a linker (`ad hoc`: by nobody in particular) is
enough. It is a hash of every page of the file, so a tool that changes the file must sign it anew.

* A thin *Mach-O* file of 64 bits begins with a header of 32 bytes and load commands, all little-endian.
* The command `LC_CODE_SIGNATURE` says where the *super blob* lies, which is big-endian and lists blobs by type.
* Type 0 of them is the *code directory*: the hashes.
"""

import hashlib
import struct

MAGIC_64 = 0xFEEDFACF
LC_CODE_SIGNATURE = 0x1D
CODE_DIRECTORY = 0
SHA_256 = 2


def why_unsigned(binary):
    """Why a program would not be started for its signature; None if it would."""
    try:
        return _why_unsigned(binary)
    except struct.error:
        return "it ends in the middle"


def _why_unsigned(binary):
    if struct.unpack_from("<I", binary)[0] != MAGIC_64:
        return "it is not a Mach-O file"
    signature = None
    position = 32
    for _ in range(struct.unpack_from("<I", binary, 16)[0]):
        kind, size = struct.unpack_from("<II", binary, position)
        if kind == LC_CODE_SIGNATURE:
            signature = struct.unpack_from("<I", binary, position + 8)[0]
        position += size
    if signature is None:
        return "it has no signature"
    blobs = struct.unpack_from(">I", binary, signature + 8)[0]
    for index in range(blobs):
        kind, offset = struct.unpack_from(">II", binary, signature + 12 + 8 * index)
        if kind == CODE_DIRECTORY:
            return _why_different(binary, signature + offset)
    return "its signature has no hashes"


def _why_different(binary, directory):
    first_hash, _, _, pages, limit = struct.unpack_from(">IIIII", binary, directory + 16)
    hash_size, hash_type, _, page_bits = struct.unpack_from("BBBB", binary, directory + 36)
    if hash_type != SHA_256:
        return "its hashes are of an unknown kind"
    if pages != -(-limit >> page_bits):
        return "its hashes are not of all pages"
    for page in range(pages):
        content = binary[page << page_bits : min((page + 1) << page_bits, limit)]
        at = directory + first_hash + page * hash_size
        if hashlib.sha256(content).digest()[:hash_size] != binary[at : at + hash_size]:
            return f"page {page} is not what was signed"
    return None
