//! Imageblocks: the part of the attachments that a tile holds.
