"""Kinds of programs in which the fuzzer (../../fuzz) found faults: each differs in one detail from a case of another table."""

from case import Table

table = Table(checks_overflow=True)
add = table.add
OUT = "const int* in = small(256)\nint* out = zero(512)\nint n"
RUNS = [{"n": n} for n in (0, 1, 3, 7)]


def bool_offsets():
    """A bool is the offset of a pointer, or stands in any other place where C++ promotes it to int."""
    scalars = {
        "subscript": "out[0] = in[n != 0];\nout[n > 1] = in[2];\nout[4 + (n > 2)] += 5;",
        "plus": "store(out, load(in + (n > 2)));\nstore((n > 0) + out + 2, load(in + 1));",
        "minus": "store(out, load(in + 4 - (n > 2)));",
        "moved": "auto p = in;\np += n > 0;\nstore(out, *p);\np -= n > 1;\nstore(out + 1, *p);",
        "known": "bool b = true;\nstore(out + b, in[b]);\nstore(out + 3 - b, load(in + 2 - b));",
    }
    for name, body in scalars.items():
        add(f"found_bool_{name}", OUT, f"grid(1);\n{body}", RUNS, warps=(1, 4))
    tiles = {
        "tile": "store(out + i, load(in + (i > n)));",
        "tile_minus": "store(out + i, load(in + i - (i > n), i > 0));",
        "tile_moved": "auto p = in + i;\np += i > n;\np -= n > 1;\nstore(out + i, load(p, i > 0));",
        "tile_scalar": "store(out + i + (n > 1), load(in + i));",
        "random": "store(out + i, cast<int>(random_bits(n > 1, i > n)));\nstore(out + 64, cast<int>(random_bits(7, n > 1)));",
        "arithmetic": "auto b = n > 1;\nstore(out + i, (i > n) + b - b * (i > 3) + -b + ~b + (b << 3) + abs(i > n));",
    }
    for name, body in tiles.items():
        add(f"found_bool_{name}", OUT, f"grid(1);\nauto i = arange<64>();\n{body}", RUNS, warps=(1, 4))


def single_elements():
    """Views and reductions make tiles of one element from each other."""
    source = {
        "kept": "auto x = max<0>(load(in + iota<0, 32, 1>()), keep_dims);",
        "column": "auto x = load(in + n + iota<0, 1, 1>());",
        "cube": "auto x = sum<1>(load(in + iota<1, 1, 32, 1>()), keep_dims);",
        "line": "auto x = min<0>(load(in + arange<32>() + n), keep_dims);",
    }
    steps = {
        "argmax": "x = x + argmax(x);",
        "sum": "x = x * 2 + sum(x);",
        "reshape": "auto y = reshape<1>(x);\nx = x + max(y) + sum(reshape<1, 1, 1, 1>(x));",
        "expand": "auto y = expand_dims<0>(expand_dims<-1>(x));\nx = x + max(ravel(y)) + sum(y);",
        "scan": "x = x + cumsum(ravel(x));",
        "flip": "x = flip(x) + argmin(flip(ravel(x)));",
    }
    for shape, made in source.items():
        for name, step in steps.items():
            body = f"grid(1);\n{made}\n{step}\nstore(out + x * 0, x);\nstore(out + arange<8>() + 1, broadcast_to<8>(ravel(x)));"
            add(f"found_one_{shape}_{name}", OUT, body, RUNS, warps=(1, 4))


def computed_views():
    """Expressions of coordinates under a view are stored as whole vectors: what a row shares is named above the loop over its elements."""
    views = {
        "trans": "auto x = cast<int>(trans(iota<0, 2, 64>() && iota<1, 2, 64>()));",
        "reshape": "auto x = cast<int>(reshape<64, 2>(iota<0, 64, 2>() * 3 > iota<1, 64, 2>() * n));",
        "permute": "auto x = reshape<64, 2>(permute<2, 0, 1>(iota<2, 1, 2, 64>() * 5 - iota<1, 1, 2, 64>() * n));",
        "both": "auto x = where(trans(iota<0, 2, 64>() > iota<1, 2, 64>()), trans(iota<1, 2, 64>()) * n, iota<1, 64, 2>());",
        "broadcast": "auto x = trans(broadcast_to<2, 64>(arange<64>() * n + 1)) * 2;",
    }
    for name, body in views.items():
        store = "store(out + (arange<64>()[all, none] * 2 + arange<2>()[none, all]), x);"
        add(f"found_view_{name}", OUT, f"grid(1);\n{body}\n{store}", RUNS, warps=(1, 2, 4))


def shared_addresses():
    """Elements share an address where the stride is 0 for some program, step or loaded value: all loads come first."""
    body = {
        "program": "auto pid = grid(n + 1);\nauto p = out + pid * 2048 + pid * 3 * arange<96>();\nstore(p, load(p) + 1);",
        "step": "grid(1);\nfor (int k = 0; k < n; ++k) {\n  auto p = out + arange<96>() * k;\n  store(p, load(p) + 1);\n}",
        "loaded": "grid(1);\nauto p = out + arange<96>() * (in[n] - in[n]);\nstore(p, load(p) + 1);",
        "down": "auto pid = grid(n + 1);\nauto p = out + pid * 2048 + (n - pid) * arange<96>();\nstore(p, load(p) + 1);",
    }
    for name, text in body.items():
        add(f"found_stride_{name}", "const int* in = small(256)\nint* out = zero(20000)\nint n", text, RUNS, warps=(1, 4), races_of_one_store=False)


def staged_conditions():
    """A comparison reads what a loop prefetches into shared memory: the scalar variant computes it for each element."""
    conditions = {
        "ne": "x != 0",
        "threshold": "x > n",
        "not": "!(x == n)",
        "both": "(x > 0) && (x != n)",
    }
    data = "const int* in = small(1024)\nint* out = zero(512)\nint n"
    for name, condition in conditions.items():
        dot = ("auto acc = zeros<double, 16, 8>();\nfor (auto k : range(4)) {\n"
               "auto x = load(in + k * 256 + (arange<16>()[all, none] * 16 + arange<16>()[none, all]));\n"
               f"acc = dot(cast<double>({condition}), cast<double>(iota<1, 16, 8>()), acc);\n}}\n"
               "store(out + (arange<16>()[all, none] * 8 + arange<8>()[none, all]), cast<int>(acc));")
        add(f"found_staged_{name}", data, f"grid(1);\n{dot}", RUNS, warps=(1, 4))


def computed_accesses():
    """The loop over registers computes the mask, address and default of an access into variables before the access."""
    uses = {
        "mask": "auto y = load(in + i, x > 3);",
        "place": "auto y = load(in + (cast<int>(x) & 63));",
        "default": "auto y = load(in + i, i < n, cast<int>(x));",
        "random": "auto y = cast<int>(random_bits(7, cast<int>(x)) & 63);",
        "twice": "auto y = load(in + (load(in + (cast<int>(x) & 63), x > z) & 63));",
        "store": "auto y = i;\nstore(out + 192 + i, cast<int>(z), x > z);",
        "map": "auto y = load(in + i, map([](float a) { float b = a; while (b > 3) b -= 4; return b > 1; }, x));",
    }
    homes = {
        "beside": "auto w = load(in + 64 + i, z > 1);\nauto x = rint(z * 0.5f);\n{use}\nstore(out + 64 + i, y + w);\nif (n > 0) store(out + i, cast<int>(x - z));",
        "stored": "auto x = rint(z * 0.5f);\n{use}\nstore(out + 64 + i, y);\nstore(out + i, cast<int>(x) + sum(x));",
        "branch": "auto x = z;\nif (n > 1) {{\n  x = rint(z * 0.5f);\n  {use}\n  store(out + 64 + i, y);\n}}\nstore(out + i, cast<int>(x));",
        "loop": "for (int k = 0; k < n; ++k) {{\n  auto x = rint(z * 0.5f) + k;\n  {use}\n  store(out + 64 + i, y);\n  z = x;\n}}\nstore(out + i, cast<int>(z));",
        "old": "for (int k = 0; k < n; ++k) {{\n  auto x = z;\n  z = rint(x * 0.5f) + k;\n  {use}\n  store(out + 64 + i, y + cast<int>(z));\n}}\nstore(out + i, cast<int>(z));",
    }
    for home, text in homes.items():
        for use, line in uses.items():
            body = "grid(1);\nauto i = arange<64>();\nauto z = cast<float>(load(in + i));\n" + text.format(use=line)
            add(f"found_access_{home}_{use}", OUT, body, RUNS, warps=(1, 4))


def loaded_over_carried():
    """A load gives a loop's next value, and the carried value is read behind it: once it was written over before."""
    next_values = {
        "moved": "reshape<128>(load(in + (arange<2>()[all, none] * 64 + arange<64>()[none, all])))",
        "loaded": "load(in + (x & 127))",
    }
    for name, value in next_values.items():
        body = (f"grid(1);\nauto i = arange<128>();\nauto x = i;\nfor (int k = 0; k < n; ++k) {{\n  auto y = x << (k & 3);\n  x = {value};\n"
                "  auto z = x << 1;\n  store(out + i, y);\n  store(out + 128 + i, z);\n}\nstore(out + 256 + i, x);")
        add(f"found_over_carried_{name}", OUT, body, RUNS, warps=(1, 2, 3, 4))


def padded_divisors():
    """Padding is no divisor, and no argument of a function that may not return (g10101_13_3)."""
    divisor = "auto y = load(in + i) * 2 + 1;\nstore(out + 256 + i, y);\nauto x = load(out + 256 + i);\n"
    odd = "map([](int a) { while (a % 2 == 0) a /= 2; return a; }, {})"
    values = {
        "loaded": "i / x + i % x",
        "moved": "i / flip<0>(x)",
        "joined": "i / interleave(load(out + 256 + arange<SIZE / 2>()), load(out + 256 + SIZE / 2 + arange<SIZE / 2>()))",
        "carried": "(i / x) / maximum(x % 3 + 3, 1)",
        "function": odd.replace("{}", "i + 1"),
        "function_of_loaded": odd.replace("{}", "load(out + 256 + i) * 8"),
    }
    for size in (100, 96, 20, 6):
        for name, value in values.items():
            body = f"grid(1);\nauto i = arange<SIZE>();\n{divisor}store(out + i, {value});\nstore(out + 128 + i, sum({value}) + i);"
            add(f"found_padded_{name}_{size}", OUT, body.replace("SIZE", str(size)), RUNS[:1], warps=(1, 3, 4))
    rows = ("grid(1);\nauto at = iota<0, 3, 20>() * 20 + iota<1, 3, 20>();\nauto x = load(in + at) * 2 + 1;\nauto r = sum<1>(x, keep_dims) * 0 + 3;\n"
            "store(out + at, 100 / x);\nstore(out + 64 + at, 50 / (x * r));\nstore(out + 128 + at, 100 % trans(trans(x)));")
    add("found_padded_rows", OUT, rows, RUNS[:1], warps=(1, 2, 4))


def negated_extrema():
    """nvcc drops a sign where it joins two maxima or minima (g17101_42_14, g17101_75_25): only a GPU shows it."""
    negations = {
        "minus": "-x",
        "from_zero": "(n - n) - x",
        "product": "x * -1",
        "power_of_two": "x * -4",
        "wide": "cast<int>(-cast<int64_t>(x))",
        "short": "cast<int>(-cast<int16_t>(x))",
        "unsigned": "cast<int>(-cast<uint32_t>(x))",
        "sum": "-(x + z)",
        "bits": "-(x & 3)",
        "chosen": "where(x > z, -x, -y)",
        "scalar": "x * 0 + -n",
    }
    for name, value in negations.items():
        both = "".join(
            f"store(out + {at} + i, {of}({of}(y, {value}), z));\nstore(out + {at + 128} + i, {of}(y, {of}(x, {value})));\n"
            for at, of in ((0, "maximum"), (256, "minimum")))
        body = f"grid(1);\nauto i = arange<128>();\nauto x = load(in + i), y = load(in + (i ^ 1)), z = load(in + (127 - i));\n{both}"
        add(f"found_negated_{name}", OUT, body, RUNS[:1], warps=(1, 4))
    running = ("grid(1);\nauto i = arange<128>();\nauto x = -load(in + i);\nstore(out + i, associative_scan<0>(x, [](auto a, auto b) { return maximum(a, b); }));\n"
               "store(out + 128 + i, max(x) + i);\nstore(out + 256 + i, maximum(x, min(x)));")
    add("found_negated_scan", OUT, running, RUNS[:1], warps=(1, 3, 4))


bool_offsets()
negated_extrema()
loaded_over_carried()
padded_divisors()
single_elements()
shared_addresses()
computed_views()
staged_conditions()
computed_accesses()
