//! Paths as text: with `/`, resolved lexically. Links are not followed, as build tools do not either when they compare.

/// A path without `.`, with `..` resolved where there is something to take away. The empty path is `.`.
pub(crate) fn normalize(path: &str) -> String {
    let path = path.replace('\\', "/");
    let absolute = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => match parts.last() {
                Some(&last) if last != ".." => {
                    parts.pop();
                }
                _ if absolute => {}
                _ => parts.push(".."),
            },
            _ => parts.push(part),
        }
    }
    match (absolute, parts.is_empty()) {
        (true, _) => format!("/{}", parts.join("/")),
        (false, true) => ".".to_owned(),
        (false, false) => parts.join("/"),
    }
}

/// Whether a path does not depend on a folder. Places that only a build knows, such as its output folder, count as
/// absolute: they begin with a marker of [`crate::text`].
pub(crate) fn is_absolute(path: &str) -> bool {
    path.starts_with(['/', crate::text::UNKNOWN_MARK]) || path.as_bytes().get(1) == Some(&b':')
}

/// `path` as seen from `folder`.
pub(crate) fn join(folder: &str, path: &str) -> String {
    if is_absolute(path) || folder == "." || folder.is_empty() {
        normalize(path)
    } else {
        normalize(&format!("{folder}/{path}"))
    }
}

/// The folder that holds `path`.
pub(crate) fn folder_of(path: &str) -> &str {
    match path.rfind('/') {
        Some(0) => "/",
        Some(slash) => &path[..slash],
        None => ".",
    }
}

/// The last part of a path.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// The part of the file name after its last dot; empty if it has none.
pub(crate) fn extension(path: &str) -> &str {
    let name = file_name(path);
    name.rfind('.').filter(|&dot| dot > 0).map_or("", |dot| &name[dot + 1..])
}

/// The file name up to its last dot.
pub(crate) fn stem(path: &str) -> &str {
    let name = file_name(path);
    name.rfind('.').filter(|&dot| dot > 0).map_or(name, |dot| &name[..dot])
}

/// Whether text holds characters that shells and build tools match file names with.
pub(crate) fn is_glob(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

/// Whether `path` fits `pattern`: `?`, `*` within a part, `**` across parts, `[a-z]`, `{a,b}`. Bounded: a pattern that
/// would take too long does not fit.
pub(crate) fn glob_matches(pattern: &str, path: &str) -> bool {
    let mut fuel = 20_000;
    expand_braces(pattern).iter().any(|pattern| matches_from(pattern.as_bytes(), path.as_bytes(), &mut fuel))
}

/// The alternatives of `{a,b}` in a pattern; at most 64.
fn expand_braces(pattern: &str) -> Vec<String> {
    let mut done = Vec::new();
    let mut open = vec![pattern.to_owned()];
    while let Some(next) = open.pop() {
        let braces = next.find('{').and_then(|start| Some((start, start + next[start..].find('}')?)));
        match braces {
            Some((start, end)) if done.len() + open.len() < 64 => {
                for choice in next[start + 1..end].split(',').rev() {
                    open.push(format!("{}{choice}{}", &next[..start], &next[end + 1..]));
                }
            }
            _ => done.push(next),
        }
    }
    done
}

fn matches_from(pattern: &[u8], path: &[u8], fuel: &mut u32) -> bool {
    if *fuel == 0 {
        return false;
    }
    *fuel -= 1;
    let Some((&first, rest)) = pattern.split_first() else { return path.is_empty() };
    match first {
        b'*' if rest.first() == Some(&b'*') => {
            let after = rest[1..].strip_prefix(b"/").unwrap_or(&rest[1..]);
            let starts = (0..=path.len()).filter(|&at| at == 0 || path[at - 1] == b'/' || after.is_empty());
            starts.into_iter().any(|at| matches_from(after, &path[at..], fuel))
        }
        b'*' => {
            let reach = path.iter().position(|&byte| byte == b'/').unwrap_or(path.len());
            (0..=reach).any(|at| matches_from(rest, &path[at..], fuel))
        }
        b'?' => path.first().is_some_and(|&byte| byte != b'/') && matches_from(rest, &path[1..], fuel),
        b'[' => {
            let Some(close) = rest.iter().skip(1).position(|&byte| byte == b']').map(|at| at + 1) else {
                return path.first() == Some(&first) && matches_from(rest, &path[1..], fuel);
            };
            let (negated, set) = match rest[0] {
                b'!' | b'^' => (true, &rest[1..close]),
                _ => (false, &rest[..close]),
            };
            let Some((&byte, after)) = path.split_first() else { return false };
            let mut inside = false;
            let mut at = 0;
            while at < set.len() {
                if set.get(at + 1) == Some(&b'-') && at + 2 < set.len() {
                    inside |= (set[at]..=set[at + 2]).contains(&byte);
                    at += 3;
                } else {
                    inside |= set[at] == byte;
                    at += 1;
                }
            }
            inside != negated && byte != b'/' && matches_from(&rest[close + 1..], after, fuel)
        }
        _ => path.first() == Some(&first) && matches_from(rest, &path[1..], fuel),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs() {
        for (pattern, path, fits) in [
            ("*.metal", "a.metal", true),
            ("*.metal", "b/a.metal", false),
            ("b/**/*.metal", "b/a.metal", true),
            ("b/**/*.metal", "b/c/d/a.metal", true),
            ("b/**", "b/c/d", true),
            ("[a-c]?.{air,metal}", "b1.metal", true),
            ("[!a-c]?.air", "b1.air", false),
            ("a{b,c}d", "acd", true),
            ("{", "{", true),
        ] {
            assert_eq!(glob_matches(pattern, path), fits, "{pattern} {path}");
        }
    }

    #[test]
    fn parts_of_paths() {
        assert_eq!(join("a/b", "../c.metal"), "a/c.metal");
        assert_eq!((extension("a/b.tar.gz"), stem("a/b.metal"), folder_of("a")), ("gz", "b", "."));
        assert_eq!(extension(".zshrc"), "");
    }
}
