"""The options of tile2cu that the compilers of the emitted files have to know too, and dependency rules of make."""

import os
import re
import shlex


class Options:
    """The words that tile2cu gets, with absolute paths, and what they say about the source's preprocessor."""

    def __init__(self, words):
        self.words = []  # for tile2cu: any current directory gives the same result
        self.include_dirs = []  # absolute paths, of -I
        self.system_dirs = []  # of -isystem
        self.quote_dirs = []  # of -iquote, which may stand after --
        self.macros = []  # "#define N 4", in the order of -D and -U
        self.forced = []  # the files of -include
        self.standard = None  # "c++20"
        self.inputs = []  # other files whose contents count: those that -p names
        rest = iter(_expanded(words))
        for word in rest:
            found = re.fullmatch(r"(-isystem|-iquote|-include|-std)(?:=(.*))?", word, re.S)
            found = found or re.fullmatch(r"(-[IDUp])(.+)?", word, re.S)
            if found is None or (value := found[2] if found[2] is not None else next(rest, None)) is None:
                self.words.append(word)
            else:
                self._add(found[1], value)

    def _add(self, flag, value):
        folders = {"-I": self.include_dirs, "-isystem": self.system_dirs, "-iquote": self.quote_dirs}
        if flag in folders:
            value = os.path.abspath(value)
            folders[flag].append(value)
        elif flag == "-include":
            if os.path.exists(value):  # otherwise it is looked for in the include folders
                value = os.path.abspath(value)
            self.forced.append(value)
        elif flag == "-D":
            name, is_given, text = value.partition("=")
            self.macros.append(f"#define {name} {text if is_given else 1}".split("\n", 1)[0])
        elif flag == "-U":
            self.macros.append(f"#undef {value}")
        elif flag == "-p":
            value = os.path.abspath(value)
            self.inputs.append(os.path.join(value, "compile_commands.json"))
        else:
            self.standard = value
        self.words += [f"{flag}={value}"] if flag == "-std" else [flag, value]

    def folder_flags(self):
        """The include folders as words for a C++ compiler."""
        flags = [("-I", folder) for folder in self.include_dirs]
        flags += [("-isystem", folder) for folder in self.system_dirs]
        flags += [("-iquote", folder) for folder in self.quote_dirs]
        return [word for pair in flags for word in pair]

    def preprocessor_text(self):
        """What -D, -U and -include mean, as lines of a source. The compiler's command line has them in this order too."""
        lines = self.macros + [f'#include "{file}"' for file in self.forced]
        return "".join(line + "\n" for line in lines)

    def key(self):
        return [self.words, self.inputs]


def _expanded(words, depth=0):
    """The words with each @file replaced by its contents. One that cannot be read stays: tile2cu reports it."""
    for word in map(os.fspath, words):
        if word.startswith("@") and depth < 8:
            try:
                with open(word[1:], encoding="utf-8", errors="surrogateescape") as file:
                    text = file.read()
            except OSError:
                yield word
            else:
                yield from _expanded(_tokens(text), depth + 1)
        else:
            yield word


def _tokens(text):
    """The words of a response file, as GCC and Clang read it: a backslash escapes any character, in quotes too."""
    for found in re.finditer(r"""(?:\\.|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[^\s\\'"])+""", text, re.S):
        unquoted = re.sub(r"""\\.|'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)\"""", _unquoted, found[0], flags=re.S)
        yield unquoted


def _unquoted(found):
    if found[0][0] == "\\":
        return found[0][1]
    return re.sub(r"\\(.)", r"\1", found[1] if found[1] is not None else found[2], flags=re.S)


def prerequisites(rule):
    """The files of a make rule, with the names that stand there."""
    text = rule.replace("\\\n", " ").split(":", 1)[1]
    names = re.findall(r"(?:\\[ #]|\$\$|\S)+", text)
    return [re.sub(r"\\([ #])|\$(\$)", r"\1\2", name) for name in names]


def system_files(files, folders):
    """The files of `folders` that `files` may include, directly or not.

    Rules of make leave out headers of -isystem. Here each #include counts, whatever #if it stands in.
    """
    found, todo = set(), list(files) if folders else []
    while todo:
        file = todo.pop()
        try:
            with open(file, encoding="utf-8", errors="replace") as opened:
                names = re.findall(r'^\s*#\s*include(?:_next)?\s*[<"](.+?)[>"]', opened.read(), re.M)
        except OSError:
            continue
        for name in names:
            for folder in [os.path.dirname(file), *folders] if file in found else folders:
                path = os.path.abspath(os.path.join(folder, name))
                if path not in found and os.path.isfile(path):
                    found.add(path)
                    todo.append(path)
    return sorted(found)


def shown(command):
    """A command as text for the user."""
    return " ".join(map(shlex.quote, command))
