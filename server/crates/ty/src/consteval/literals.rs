//! The values of literals, and arithmetic in the widths of the language.

use msl_intern::Name;

use crate::store::*;

/// Wraps a mathematical value to an integer type.
pub fn wrap(value: i128, scalar: Scalar) -> i128 {
    if scalar == Scalar::Bool {
        return (value != 0).into();
    }
    let bits = scalar.bits();
    let mask = (1i128 << bits) - 1;
    let low = value & mask;
    if scalar.is_signed() && low >> (bits - 1) & 1 == 1 { low - (1i128 << bits) } else { low }
}

pub(super) fn round_to(value: f64, scalar: Scalar) -> f64 {
    match scalar {
        Scalar::Float => f64::from(value as f32),
        _ => value,
    }
}

/// An integer literal: its value and type (C++ [lex.icon]; there is no `long long` in Metal).
pub fn int_literal(name: Name) -> Option<(i128, Scalar)> {
    let text: String = name.as_str().chars().filter(|&c| c != '\'').collect();
    let lower = text.to_ascii_lowercase();
    let (digits, radix) = if let Some(hex) = lower.strip_prefix("0x") {
        (hex, 16)
    } else if let Some(binary) = lower.strip_prefix("0b") {
        (binary, 2)
    } else if lower.len() > 1 && lower.starts_with('0') {
        (&lower[1..], 8)
    } else {
        (lower.as_str(), 10)
    };
    let end = digits.find(['u', 'l', 'z']).unwrap_or(digits.len());
    let (number, suffix) = digits.split_at(end);
    let value = if number.is_empty() { 0 } else { u128::from_str_radix(number, radix).ok()? };
    let value = i128::try_from(value).ok()?;
    let unsigned = suffix.contains('u');
    let long = suffix.contains(['l', 'z']);
    let fits = |scalar: Scalar| wrap(value, scalar) == value;
    let candidates: &[Scalar] = match (unsigned, long, radix) {
        (true, true, _) => &[Scalar::ULong],
        (true, false, _) => &[Scalar::UInt, Scalar::ULong],
        (false, true, 10) => &[Scalar::Long],
        (false, true, _) => &[Scalar::Long, Scalar::ULong],
        (false, false, 10) => &[Scalar::Int, Scalar::Long],
        (false, false, _) => &[Scalar::Int, Scalar::UInt, Scalar::Long, Scalar::ULong],
    };
    let scalar = candidates.iter().copied().find(|&scalar| fits(scalar)).unwrap_or(Scalar::ULong);
    Some((value, scalar))
}

/// A floating literal: its value and type. Without a suffix it is `float` (MSL spec §2.1).
pub fn float_literal(name: Name) -> Option<(f64, Scalar)> {
    let text: String = name.as_str().chars().filter(|&c| c != '\'').collect::<String>().to_ascii_lowercase();
    let is_hex = text.starts_with("0x");
    let (number, scalar) = if let Some(number) = text.strip_suffix("bf").filter(|_| !is_hex || text.contains('p')) {
        (number, Scalar::BFloat)
    } else if let Some(number) = text.strip_suffix('h') {
        (number, Scalar::Half)
    } else if let Some(number) = text.strip_suffix('f').filter(|_| !is_hex || text.contains('p')) {
        (number, Scalar::Float)
    } else if let Some(number) = text.strip_suffix('l') {
        (number, Scalar::Float)
    } else {
        (text.as_str(), Scalar::Float)
    };
    let value = if is_hex { hex_float(number)? } else { number.parse::<f64>().ok()? };
    Some((round_to(value, scalar), scalar))
}

fn hex_float(text: &str) -> Option<f64> {
    let digits = text.strip_prefix("0x")?;
    let (mantissa, exponent) = digits.split_once('p').unwrap_or((digits, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut value = 0f64;
    for digit in whole.chars() {
        value = value * 16.0 + f64::from(digit.to_digit(16)?);
    }
    let mut scale = 1.0 / 16.0;
    for digit in fraction.chars() {
        value += f64::from(digit.to_digit(16)?) * scale;
        scale /= 16.0;
    }
    Some(value * 2f64.powi(exponent.parse().ok()?))
}

/// A character literal's value.
pub fn char_literal(name: Name) -> Option<i128> {
    let text = name.as_str();
    let inner = text.get(text.find('\'')? + 1..text.rfind('\'')?)?;
    let mut chars = inner.chars();
    match chars.next()? {
        '\\' => Some(match chars.next()? {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            'x' => i128::from_str_radix(chars.as_str(), 16).ok()?,
            digit @ '0'..='7' => {
                let rest = format!("{digit}{}", chars.as_str());
                i128::from_str_radix(&rest, 8).ok()?
            }
            other => i128::from(other as u32),
        }),
        single => Some(i128::from(single as u32)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals() {
        for (text, value, scalar) in [
            ("0", 0, Scalar::Int),
            ("017", 15, Scalar::Int),
            ("0x7fffffff", 0x7fff_ffff, Scalar::Int),
            ("0xffffffff", 0xffff_ffff, Scalar::UInt),
            ("2147483648", 2_147_483_648, Scalar::Long),
            ("1u", 1, Scalar::UInt),
            ("3ul", 3, Scalar::ULong),
            ("0b101", 5, Scalar::Int),
            ("1'000", 1000, Scalar::Int),
        ] {
            assert_eq!(int_literal(Name::new(text)), Some((value, scalar)), "{text}");
        }
        for (text, value, scalar) in [
            ("1.0", 1.0, Scalar::Float),
            ("1.0h", 1.0, Scalar::Half),
            ("2.bf", 2.0, Scalar::BFloat),
            (".5f", 0.5, Scalar::Float),
            ("1e3", 1000.0, Scalar::Float),
            ("0x1p4f", 16.0, Scalar::Float),
        ] {
            assert_eq!(float_literal(Name::new(text)), Some((value, scalar)), "{text}");
        }
    }

    #[test]
    fn wrapping() {
        assert_eq!(wrap(300, Scalar::UChar), 44);
        assert_eq!(wrap(200, Scalar::Char), -56);
        assert_eq!(wrap(-1, Scalar::UInt), 0xffff_ffff);
        assert_eq!(wrap(7, Scalar::Bool), 1);
    }
}
