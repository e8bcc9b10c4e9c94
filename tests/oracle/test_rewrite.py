"""Tests of the rewriter and of how types are compared, without clang."""

import unittest

import compare
import msl_rewrite


def rewritten(text):
    return msl_rewrite.rewrite(text)[0]


class Rewrite(unittest.TestCase):
    def test_what_clang_does_not_know_is_blank(self):
        self.assertEqual(rewritten("#include <metal_stdlib>\nint x [[id(0)]];"), " " * 23 + "\nint x          ;")

    def test_includes_of_the_project_stay(self):
        text = "#include <c10/metal/utils.h>\n"
        self.assertEqual(msl_rewrite.rewrite(text, lambda name: name == "c10/metal/utils.h")[0], text)

    def test_threadgroup_variables_become_references(self):
        self.assertEqual(
            rewritten("{ threadgroup float a[N][2], b; }"),
            "{ threadgroup float (&a)[N][2]=msl_storage(), (&b)=msl_storage(); }",
        )
        self.assertEqual(rewritten("{ threadgroup float* p = q; }"), "{ threadgroup float* p = q; }")
        self.assertEqual(rewritten("f(threadgroup float* p, int x);"), "f(threadgroup float* p, int x);")

    def test_template_parameters_of_function_type(self):
        self.assertEqual(rewritten("template <typename T, void (*F)(T)> void g();"), "template <typename T, void (&F)(T)> void g();")
        self.assertEqual(rewritten("void (*f)(int);"), "void (*f)(int);")

    def test_literals(self):
        self.assertEqual(rewritten("1.0 2.f .5 1e3 1.0h 0x1.8 a.b 3 v.x1 // 1.0"), "1.0f 2.f .5f 1e3f 1.0h 0x1.8 a.b 3 v.x1 // 1.0")

    def test_a_space_beside_thread(self):
        self.assertEqual(rewritten("thread const device T *p[2];"), "       const device T *p[2];")

    def test_every_offset_maps_back(self):
        text = "void f() { threadgroup int a[2]; x = 1.0 + a[0]; }\n"
        new, insertions = msl_rewrite.rewrite(text)
        offsets = msl_rewrite.Offsets(insertions)
        for word in ("x =", "a[0]", "}\n"):
            self.assertEqual(offsets.original(new.index(word)), text.index(word))
        self.assertEqual([offsets.original(offset) for offset in range(len(new))], sorted(offsets.original(o) for o in range(len(new))))


class Types(unittest.TestCase):
    def test_one_spelling(self):
        same = [
            ("const device float *thread", "device const float *"),
            ("thread metal::vec<unsigned int, 3>", "uint3"),
            ("const constant long", "constant int64_t &"),
            ("const constant float *", "constant float *"),
            ("device float &", "device float"),
            ("metal::matrix<float, 4, 3>", "float4x3"),
        ]
        for one, other in same:
            with self.subTest(one):
                self.assertEqual(compare.normal_type(one), compare.normal_type(other))

    def test_spaces_of_the_pointee_differ(self):
        self.assertNotEqual(compare.normal_type("device float *"), compare.normal_type("thread float *"))
        self.assertNotEqual(compare.normal_type("generic float *"), compare.normal_type("device float *"))
        self.assertNotEqual(compare.normal_type("device float *"), compare.normal_type("device float * device *"))


if __name__ == "__main__":
    unittest.main()
