//! Small helpers of generic code: `move`, `forward`, `integer_sequence`.
