use super::*;

#[test]
fn text_cannot_leave_its_element() {
    assert_eq!(escape("a<b && c>\"d\"\u{7}"), "a&lt;b &amp;&amp; c&gt;&quot;d&quot;\u{fffd}");
    assert_eq!(code("parameter `a<b>` of `f`"), "parameter <code>a&lt;b&gt;</code> of <code>f</code>");
}

#[test]
fn style_and_script_stay_in_theirs() {
    assert!(!STYLE.contains("</") && !SCRIPT.contains("</script"));
    for word in ["http:", "https:", "import", "url("] {
        assert!(!STYLE.contains(word) && !SCRIPT.contains(word), "{word}");
    }
}
