"""What `server/release/mach_o.py` says about programs for macOS."""

import hashlib
import pathlib
import struct
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "server" / "release"))
import mach_o

PAGE_BITS = 12


def signed(content_size=10_000, pages=3):
    """A Mach-O file that is a header, a load command, noise, and the signature."""
    content = struct.pack("<IIIIIIII", mach_o.MAGIC_64, 0x0100000C, 0, 2, 1, 16, 0, 0)
    content += struct.pack("<IIII", mach_o.LC_CODE_SIGNATURE, 16, content_size, 0)
    content += bytes(number % 251 for number in range(content_size - len(content)))
    first_hash = 88
    directory = struct.pack(">IIIIIIIII", 0xFADE0C02, 0, 0x20400, 0x20002, first_hash, 0, 0, pages, content_size)
    directory += struct.pack("BBBB", 32, mach_o.SHA_256, 0, PAGE_BITS)
    directory += bytes(first_hash - len(directory))
    for page in range(pages):
        directory += hashlib.sha256(content[page << PAGE_BITS : (page + 1) << PAGE_BITS]).digest()
    return content + struct.pack(">IIIII", 0xFADE0CC0, 0, 1, mach_o.CODE_DIRECTORY, 20) + directory


class Signatures(unittest.TestCase):
    def test_a_signed_program_starts(self):
        self.assertIsNone(mach_o.why_unsigned(signed()))

    def test_a_changed_page_is_named(self):
        binary = bytearray(signed())
        binary[5000] ^= 1
        self.assertEqual(mach_o.why_unsigned(bytes(binary)), "page 1 is not what was signed")

    def test_every_page_has_to_be_signed(self):
        self.assertEqual(mach_o.why_unsigned(signed(pages=2)), "its hashes are not of all pages")

    def test_what_is_no_program(self):
        binary = bytearray(signed())
        binary[32] = 1
        self.assertEqual(mach_o.why_unsigned(bytes(binary)), "it has no signature")
        self.assertEqual(mach_o.why_unsigned(b"\x7fELF" + bytes(60)), "it is not a Mach-O file")
        self.assertEqual(mach_o.why_unsigned(signed()[:10_030]), "it ends in the middle")
        self.assertEqual(mach_o.why_unsigned(b""), "it ends in the middle")


if __name__ == "__main__":
    unittest.main()
