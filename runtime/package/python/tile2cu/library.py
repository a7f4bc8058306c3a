"""Launchers of a shared library, called by ctypes with any arrays that have __dlpack__. Nothing is compiled at import.

tile2cu softmax.tile.cpp --header --extern-c
nvcc -O3 -shared -Xcompiler -fPIC softmax.cu -o libsoftmax.so

kernels = tile2cu.library.load("libsoftmax.so", "softmax.h")
kernels.softmax_f32(x, out, rows, columns, columns)          # of PyTorch, CuPy, JAX, ...
"""

import ctypes
import re
import sys

__all__ = ["Library", "load"]

_CPU, _CUDA, _CUDA_HOST, _CUDA_MANAGED = 1, 2, 3, 13
_INT, _UINT, _FLOAT, _BFLOAT, _BOOL, _F8E4M3, _F8E5M2 = 0, 1, 2, 4, 6, 10, 12

# Of each type in a header: how ctypes passes a scalar, and DLPack's code and bits of an element.
_TYPES = {
    "bool": (ctypes.c_bool, _BOOL, 8),
    "int8_t": (ctypes.c_int8, _INT, 8),
    "signed char": (ctypes.c_int8, _INT, 8),
    "uint8_t": (ctypes.c_uint8, _UINT, 8),
    "unsigned char": (ctypes.c_uint8, _UINT, 8),
    "int16_t": (ctypes.c_int16, _INT, 16),
    "uint16_t": (ctypes.c_uint16, _UINT, 16),
    "int": (ctypes.c_int32, _INT, 32),
    "int32_t": (ctypes.c_int32, _INT, 32),
    "unsigned": (ctypes.c_uint32, _UINT, 32),
    "uint32_t": (ctypes.c_uint32, _UINT, 32),
    "int64_t": (ctypes.c_int64, _INT, 64),
    "uint64_t": (ctypes.c_uint64, _UINT, 64),
    "float": (ctypes.c_float, _FLOAT, 32),
    "double": (ctypes.c_double, _FLOAT, 64),
    "__half": (None, _FLOAT, 16),
    "__nv_bfloat16": (None, _BFLOAT, 16),
    "__nv_fp8_e4m3": (None, _F8E4M3, 8),
    "__nv_fp8_e5m2": (None, _F8E5M2, 8),
}
_KINDS = {
    _INT: "int",
    _UINT: "uint",
    _FLOAT: "float",
    _BFLOAT: "bfloat",
    _BOOL: "bool",
    _F8E4M3: "float8_e4m3fn",
    _F8E5M2: "float8_e5m2",
}


class _Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class _DataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class _Tensor(ctypes.Structure):
    """DLTensor, the first member of DLManagedTensor."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("ndim", ctypes.c_int32),
        ("dtype", _DataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


_capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_pointer.restype = ctypes.c_void_p
_capsule_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]


class _Parameter:
    def __init__(self, text):
        text = text.split("=")[0].strip()
        match = re.fullmatch(r"(const\s+)?([\w:]+(?:\s+char)?)\s*((?:(?:\*|const)\s*)*?)(\w+)", text)
        if not match:
            raise ValueError(f"the header has a parameter that is not understood: {text}")
        self.type, self.name = match[2], match[4]
        stars = match[3].count("*")
        self.is_pointer, self.is_const = stars > 0, bool(match[1])
        if stars > 1:  # addresses
            self.type = "int64_t"

    def __str__(self):
        return ("const " if self.is_const else "") + self.type + ("* " if self.is_pointer else " ") + self.name


class Function:
    """A launcher. Call it with an array for each pointer and a number for each scalar; it returns nothing.

    An array is any object with __dlpack__ on the library's kind of device, or None for a null pointer. The kernel gets the address
    of its first element. `stream` is a number, or an object with `cuda_stream`, such as those of torch; by default it is
    the current one of torch if the first array is a tensor of torch, and else the default stream. The arrays' device has
    to be the current one, which torch.cuda.device or the like has made it.

    Raises TypeError for an argument of another type, ValueError for a wrong device or number and for arguments that no kernel
    takes, and RuntimeError for an error of the launch.
    """

    def __init__(self, function, name, parameters, device):
        self.function, self.__name__, self.parameters, self.device = function, name, parameters, device
        function.restype = ctypes.c_int

    def __repr__(self):
        return f"{self.__name__}({', '.join(map(str, self.parameters))})"

    def __call__(self, *arguments, stream=None):
        if len(arguments) != len(self.parameters):
            raise TypeError(f"{self.__name__} takes {len(self.parameters)} arguments, not {len(arguments)}: {self!r}")
        stream = self._stream(arguments, stream)
        converted, kept = [], []
        for parameter, value in zip(self.parameters, arguments):
            converted.append(
                self._pointer(parameter, value, stream, kept)
                if parameter.is_pointer
                else self._scalar(parameter, value)
            )
        status = self.function(*converted, ctypes.c_void_p(stream))
        del kept
        if status == 1:
            raise ValueError(
                f"{self.__name__}: no kernel takes these arguments (a requirement of the source does not hold, or the grid is "
                "too large)"
            )
        if status:
            raise RuntimeError(f"{self.__name__}: the launch has failed with cudaError_t {status}")

    def _stream(self, arguments, stream):
        if stream is None:
            torch = sys.modules.get("torch")
            first = next((a for a, p in zip(arguments, self.parameters) if p.is_pointer and a is not None), None)
            if torch and self.device == "cuda" and isinstance(first, torch.Tensor) and first.is_cuda:
                stream = torch.cuda.current_stream(first.device)
            else:
                return 0
        return int(getattr(stream, "cuda_stream", stream))

    def _fail(self, error, parameter, problem):
        raise error(f"{self.__name__}: parameter '{parameter.name}' {problem}")

    def _scalar(self, parameter, value):
        kind, code, bits = _TYPES.get(parameter.type, (None, None, 0))
        if kind is None:
            self._fail(TypeError, parameter, f"is a {parameter.type}, which ctypes does not pass")
        if code == _FLOAT:
            return kind(float(value))
        if isinstance(value, float) or not hasattr(value, "__index__"):
            self._fail(TypeError, parameter, f"takes an integer, not {type(value).__name__}")
        number = value.__index__()
        if code != _BOOL and kind(number).value != number:
            self._fail(
                ValueError,
                parameter,
                f"takes an integer of {bits} bits{' without a sign' if code == _UINT else ''}, and {number} is none",
            )
        return kind(bool(number) if code == _BOOL else number)

    def _pointer(self, parameter, value, stream, kept):
        if value is None:
            return ctypes.c_void_p(None)
        if not hasattr(value, "__dlpack__"):
            self._fail(TypeError, parameter, f"takes an array with __dlpack__, not {type(value).__name__}")
        device = value.__dlpack_device__()
        allowed = (_CUDA, _CUDA_MANAGED, _CUDA_HOST) if self.device == "cuda" else (_CPU, _CUDA_HOST)
        if int(device[0]) not in allowed:
            self._fail(
                ValueError, parameter, f"takes an array of {'a CUDA device' if self.device == 'cuda' else 'the CPU'}"
            )
        # 1 is the default stream there.
        capsule = (
            value.__dlpack__(stream=stream or 1) if self.device == "cuda" and device[0] == _CUDA else value.__dlpack__()
        )
        kept.append(capsule)  # its memory is released with it
        tensor = _Tensor.from_address(_capsule_pointer(capsule, b"dltensor"))
        _, code, bits = _TYPES.get(parameter.type, (None, None, 0))
        found = (tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes)
        if found != (code, bits, 1):
            self._fail(
                TypeError,
                parameter,
                f"takes elements of type {_KINDS.get(code, parameter.type)}{bits}, not {_KINDS.get(found[0], 'code ' + str(found[0]))}{found[1]}",
            )
        return ctypes.c_void_p((tensor.data or 0) + tensor.byte_offset)


class Library:
    """The launchers of a shared library: an attribute for each. `load` makes it."""

    def __init__(self, path, functions):
        self.path, self.functions = path, functions

    def __getattr__(self, name):
        functions = self.__dict__.get("functions", {})
        if name not in functions:
            raise AttributeError(f"{self.__dict__.get('path')} has no launcher {name!r}; it has {', '.join(functions)}")
        return functions[name]

    def __repr__(self):
        return f"<tile2cu.library.Library {self.path}: {', '.join(self.functions)}>"


def load(path, header, device="cuda"):
    """The launchers of the shared library at `path`, as the header that `tile2cu --header --extern-c` has written declares them.

    device    "cuda", or "cpu" for a library that takes memory of the CPU (as `--emit=emulator` makes one).

    Launchers that take a struct are left out. Raises ValueError if the header declares no launcher that can be called, OSError if the library cannot be loaded.
    """
    if device not in ("cuda", "cpu"):
        raise ValueError(f"device is 'cuda' or 'cpu', not {device!r}")
    with open(header, encoding="utf-8") as file:
        text = re.sub(r"//[^\n]*", "", file.read())
    structs = set(re.findall(r"struct (\w+)", text))
    library = ctypes.CDLL(path)
    functions = {}
    for name, parameters in re.findall(r'extern "C" cudaError_t (\w+)\(([^)]*)\);', text):
        all_of_it = [_Parameter(one) for one in parameters.replace("\n", " ").split(",")]
        if name.endswith("_pin") and len(all_of_it) == 1 and all_of_it[0].name == "candidate":
            continue
        if all_of_it[-1].type != "cudaStream_t" or any(p.type in structs or p.type == "dim3" for p in all_of_it):
            continue
        functions[name] = Function(getattr(library, name), name, all_of_it[:-1], device)
    if not functions:
        raise ValueError(f"{header} declares no launcher with a C name; was it written with --extern-c?")
    return Library(path, functions)
