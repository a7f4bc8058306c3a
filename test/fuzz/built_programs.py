"""What tests of the harness and of the generator share that build programs and run them."""

import unittest

import batch
import toolchain


class BuiltPrograms(unittest.TestCase):
    """`tools` build programs, in `folder`."""

    @classmethod
    def setUpClass(cls):
        cls.tools = batch.Tools(toolchain.ROOT / "build/fuzz/harness")
        cls.tools.prepare()
        cls.folder = cls.tools.build / "cases"
        cls.folder.mkdir(parents=True, exist_ok=True)

    def result_of_changed(self, case, old, new, flags=()):
        """What is said of a program in whose emitted text `old` has become `new`."""
        file = batch.File(self.tools, self.folder, case.name, [case], flags)
        file.write()
        self.assertTrue(file.transpile(), file.result)
        path = file.path("cuda.cpp")
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new))
        self.assertTrue(file.compile_reference() and file.compile_emulated(), file.result)
        file.execute()
        batch.clean(self.folder, case.name)
        return file.result
