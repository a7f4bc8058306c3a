"""Checks every emitted kernel against float64 torch on one GPU.

  python3 check.py [name...]      BUILD: folder of the built libraries; OUT: where check.json goes

Fresh random data, poisoned outputs between guard bands, odd sizes, shifted pointers, padded rows,
-inf and -1e30 rows, empty problems, refused arguments. Every kernel is checked in a process of its
own, under a time limit, so that a fault in one says nothing about the others.
"""

import json
import math
import os
import signal
import sys
import tempfile
import time

import torch
import torch.nn.functional as F

import check_hopper
import check_products
import launchers
from guarded import F16, F32, HALF, ON_GPU, Check, Guarded, call, normal, rand, run
from launchers import DEVICE

SECONDS = 90 if ON_GPU else 600
AT_ONCE = 5 if ON_GPU else 2


SIZES = (1, 3, 7, 31, 255, 1023, 1024, 1025, 4095, 4096, 4099, 1 << 20, (1 << 20) + 3)
SHIFTS = ((0, 0, 0), (1, 1, 1), (0, 2, 1), (4, 8, 0))


def vector_add(check):
    for n in SIZES:
        for shifts in SHIFTS:
            a, b = (Guarded([n], shift=s, data=normal(n)) for s in shifts[:2])
            c = Guarded([n], shift=shifts[2])
            run(check, f"n={n} {shifts}", "vector_add", a, b, c, n)
            check.same(f"n={n} {shifts}", c, a.view + b.view)
    c = Guarded([16])
    check.empty("n=0", call("vector_add", c, c, c, 0), c)


def gelu(check):
    for n in SIZES:
        for shifts in SHIFTS:
            x = Guarded([n], HALF, shifts[0], data=normal(n, scale=3))
            y = Guarded([n], HALF, shifts[1])
            run(check, f"n={n} {shifts}", "gelu", x, y, n)
            check.close(f"n={n} {shifts}", y, F.gelu(x.view.double(), approximate="tanh"), F16)
    x = Guarded([4], HALF, data=torch.tensor([60000.0, -60000.0, 300.0, -300.0]))
    y = Guarded([4], HALF)
    run(check, "large", "gelu", x, y, 4)
    check.same("large", y, torch.tensor([60000.0, 0.0, 300.0, 0.0], device=DEVICE, dtype=HALF))
    y = Guarded([16], HALF)
    check.empty("n=0", call("gelu", x, y, 0), y)


def swiglu(check):
    for n in SIZES:
        for shifts in SHIFTS:
            gate = Guarded([n], HALF, shifts[0], data=normal(n, scale=3))
            up = Guarded([n], HALF, shifts[1], data=normal(n))
            out = Guarded([n], HALF, shifts[2])
            run(check, f"n={n} {shifts}", "swiglu", gate, up, out, n)
            check.close(f"n={n} {shifts}", out, F.silu(gate.view.double()) * up.view.double(), F16)
    out = Guarded([16], HALF)
    check.empty("n=0", call("swiglu", out, out, out, 0), out)


def softmax_rows(rows, cols):
    x = normal(rows, cols, scale=4)
    if rows > 6:
        x[3, : cols // 2] = -math.inf
        x[4, cols // 2 :] = -1e30
        x[5, cols // 3] = 1e30
    return x


def softmax_of(check, name, widths, limit=None):
    for cols in widths:
        for pad, shift in ((0, 0), (4, 0), (3, 0), (0, 1)):
            what = f"cols={cols} pad={pad} shift={shift}"
            x = Guarded([9, cols], shift=shift, stride=cols + pad, data=softmax_rows(9, cols))
            y = Guarded([9, cols], shift=shift, stride=cols + pad)
            run(check, what, name, x, y, 9, cols, cols + pad)
            check.close(what, y, torch.softmax(x.view.double(), -1), F32)
    for rows in (1, 2, 5, 33, 1025):
        x, y = Guarded([rows, 200], data=softmax_rows(rows, 200)), Guarded([rows, 200])
        run(check, f"rows={rows}", name, x, y, rows, 200, 200)
        check.close(f"rows={rows}", y, torch.softmax(x.view.double(), -1), F32)
    for cols in (200, 5000):
        x = Guarded([3, cols], data=torch.full((3, cols), -math.inf))
        y = Guarded([3, cols], data=torch.zeros(3, cols))
        run(check, f"all -inf cols={cols}", name, x, y, 3, cols, cols)
        check.expect(
            f"all -inf cols={cols}", bool(y.view.isnan().all()), "is NaN in every framework"
        )
    x, y = Guarded([4, 64], data=normal(4, 64)), Guarded([4, 64])
    check.empty("rows=0", call(name, x, y, 0, 64, 64), y)
    check.empty("cols=0", call(name, x, y, 4, 0, 64), y)
    if limit:
        check.refused(f"cols={limit + 1}", call(name, x, y, 1, limit + 1, limit + 1), y)


def softmax(check):
    edges = [b + d for b in (256, 512, 1024, 2048, 3072, 4096) for d in (-1, 0, 1, 4)]
    edges += [5120, 5124, 6000, 6144, 7000, 7168, 8192, 8196, 10000, 10240, 12288, 13001, 14336]
    softmax_of(check, "softmax", (1, 3, 31, 100, 500, *edges, 15000, 16383, 16384), limit=16384)


def softmax_online(check):
    widths = (1, 5, 1000, 2047, 2048, 2052, 16380, 16384, 16385, 50000, 65537, 131071, 131072)
    softmax_of(check, "softmax_online", widths)


NORM_WIDTHS = (
    1,
    8,
    100,
    511,
    512,
    1000,
    1001,
    1024,
    2048,
    2500,
    3072,
    4096,
    5000,
    5001,
    5120,
    6000,
)
NORM_WIDTHS += (7000, 7168, 8192, 10000, 10240, 12345, 12288, 14000, 14336, 16383, 16384)


def rms_norm(check):
    for cols in NORM_WIDTHS:
        for pad, shift in ((0, 0), (8, 0), (3, 0), (0, 1)):
            what = f"cols={cols} pad={pad} shift={shift}"
            stride = cols + pad
            x = Guarded([9, cols], HALF, shift, stride, data=normal(9, cols))
            w = Guarded([cols], HALF, data=normal(cols))
            y = Guarded([9, cols], HALF, shift, stride)
            run(check, what, "rms_norm", x, w, y, 9, cols, stride, 1e-5)
            v = x.view.double()
            rms = (v.square().mean(-1, keepdim=True) + 1e-5).sqrt()
            check.close(what, y, v / rms * w.view.double(), F16)
    w, y = Guarded([64], HALF), Guarded([4, 64], HALF)
    check.empty("rows=0", call("rms_norm", y, w, y, 0, 64, 64, 1e-5), y)
    check.empty("cols=0", call("rms_norm", y, w, y, 4, 0, 64, 1e-5), y)
    check.refused("cols=16385", call("rms_norm", y, w, y, 1, 16385, 16385, 1e-5), y)


def layer_norm(check):
    for cols in NORM_WIDTHS:
        for pad, shift in ((0, 0), (8, 0), (3, 0), (0, 1)):
            what = f"cols={cols} pad={pad} shift={shift}"
            stride = cols + pad
            x = Guarded([9, cols], HALF, shift, stride, data=normal(9, cols, offset=3))
            w, b = (Guarded([cols], HALF, data=normal(cols)) for _ in range(2))
            y = Guarded([9, cols], HALF, shift, stride)
            run(check, what, "layer_norm", x, w, b, y, 9, cols, stride, 1e-5)
            reference = F.layer_norm(x.view.double(), (cols,), w.view.double(), b.view.double())
            check.close(what, y, reference, F16 if cols > 1 else 1e-2)
    w, y = Guarded([64], HALF), Guarded([4, 64], HALF)
    check.empty("rows=0", call("layer_norm", y, w, w, y, 0, 64, 64, 1e-5), y)
    check.empty("cols=0", call("layer_norm", y, w, w, y, 4, 0, 64, 1e-5), y)
    check.refused("cols=16385", call("layer_norm", y, w, w, y, 1, 16385, 16385, 1e-5), y)


def residual_layernorm_dropout(check):
    name = "residual_layernorm_dropout"
    # Philox itself: word 0 to 3 of counter 0 with key 0, as published.
    zero = torch.arange(4, device=DEVICE)
    words = [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    published = torch.tensor(
        [(w >> 8) * 2.0**-24 for w in words], dtype=torch.float64, device=DEVICE
    )
    check.same("philox test vector", rand(0, zero), published)
    for cols in NORM_WIDTHS:
        for shift, probability, seed in ((0, 0.3, (7 << 32) + 5), (1, 0.9, 123), (0, 0.0, 0)):
            what = f"cols={cols} shift={shift} p={probability}"
            x, r = (Guarded([9, cols], HALF, shift, data=normal(9, cols)) for _ in range(2))
            w, b = (Guarded([cols], HALF, data=normal(cols)) for _ in range(2))
            y = Guarded([9, cols], HALF, shift)
            run(check, what, name, x, r, w, b, y, 9, cols, 1e-5, probability, seed)
            p = torch.tensor(probability, dtype=torch.float32).double().item()
            keep = rand(seed, torch.arange(9 * cols, device=DEVICE).view(9, cols)) > p
            v = x.view.double() + r.view.double()
            normed = F.layer_norm(v, (cols,), w.view.double(), b.view.double())
            check.expect(what, bool((y.view[~keep] == 0).all()), "a dropped element is not 0")
            reference = torch.where(keep, normed / (1 - p), 0.0)
            check.close(what, y, reference, F16 if cols > 1 else 1e-2)
    w, y = Guarded([64], HALF), Guarded([4, 64], HALF)
    check.empty("rows=0", call(name, y, y, w, w, y, 0, 64, 1e-5, 0.1, 1), y)
    check.empty("cols=0", call(name, y, y, w, w, y, 4, 0, 1e-5, 0.1, 1), y)
    check.refused("cols=16385", call(name, y, y, w, w, y, 1, 16385, 1e-5, 0.1, 1), y)
    for p in (1.0, -0.1, math.nan):
        check.refused(f"p={p}", call(name, y, y, w, w, y, 4, 64, 1e-5, p, 1), y)


ROPE_SHAPES = ((1, 1, 2), (5, 3, 6), (7, 32, 64), (7, 33, 64), (3, 40, 80), (3, 17, 96))
ROPE_SHAPES += ((9, 31, 128), (4, 5, 200), (5, 16, 256))


def rope(check):
    for tokens, heads, dim in ROPE_SHAPES:
        for shift in (0, 1):
            what = f"tokens={tokens} heads={heads} dim={dim} shift={shift}"
            x = Guarded([tokens, heads, dim], HALF, shift, data=normal(tokens, heads, dim))
            angles = normal(tokens, dim // 2, scale=3)
            c, s = Guarded(angles.shape, data=angles.cos()), Guarded(
                angles.shape, data=angles.sin()
            )
            out = Guarded([tokens, heads, dim], HALF, shift)
            run(check, what, "rope", x, c, s, out, tokens, heads, dim)
            x1, x2 = x.view.double().chunk(2, -1)
            cd, sd = c.view.double()[:, None], s.view.double()[:, None]
            check.close(what, out, torch.cat((x1 * cd - x2 * sd, x2 * cd + x1 * sd), -1), F16)
    y, t = Guarded([4, 4, 64], HALF), Guarded([4, 32])
    check.empty("tokens=0", call("rope", y, t, t, y, 0, 4, 64), y)
    check.empty("heads=0", call("rope", y, t, t, y, 4, 0, 64), y)
    check.refused("dim=258", call("rope", y, t, t, y, 4, 4, 258), y)
    check.refused("dim=63", call("rope", y, t, t, y, 4, 4, 63), y)


def cross_entropy(check):
    for cols in (1, 10, 1000, 1001, 8188, 8192, 8193, 32000, 50257, 128256):
        for pad, shift in ((0, 0), (4, 0), (3, 1)):
            what = f"cols={cols} pad={pad} shift={shift}"
            x = Guarded([9, cols], shift=shift, stride=cols + pad, data=normal(9, cols, scale=4))
            targets = torch.randint(0, cols, (9,), device=DEVICE)
            targets[2] = targets[7] = -100
            targets[0] = cols - 1
            targets = Guarded([9], torch.int64, data=targets)
            loss = Guarded([9])
            run(check, what, "cross_entropy", x, targets, loss, 9, cols, cols + pad, -100)
            reference = F.cross_entropy(x.view.double(), targets.view, reduction="none")
            check.close(what, loss, reference, F32)
    t, loss = Guarded([4], torch.int64), Guarded([4])
    check.empty("rows=0", call("cross_entropy", loss, t, loss, 0, 64, 64, -100), loss)


MATRICES = ((1, 1), (5, 3), (127, 100), (200, 130), (1000, 1000), (129, 128), (513, 4097))
MATRICES += ((4096, 4096),) if ON_GPU else ()


def column_sum(check):
    for rows, cols in MATRICES:
        for shift in (0, 1):
            what = f"{rows}x{cols} shift={shift}"
            x = Guarded([rows, cols], shift=shift, data=normal(rows, cols))
            y = Guarded([cols], shift=shift, data=torch.zeros(cols))
            run(check, what, "column_sum", x, y, rows, cols)
            check.close(what, y, x.view.double().sum(0), F32)
    x, y = Guarded([8, 8], data=normal(8, 8)), Guarded([8])
    check.empty("rows=0", call("column_sum", x, y, 0, 8), y)
    check.empty("cols=0", call("column_sum", x, y, 8, 0), y)


WIDE = ((7, 16384), (7, 10001), (7, 8192), (3, 513), (3, 1025), (5, 2048), (5, 4100))


def cumsum(check):
    for rows, cols in MATRICES + WIDE:
        for shift in (0, 1):
            x = Guarded([rows, cols], shift=shift, data=normal(rows, cols))
            y = Guarded([rows, cols], shift=shift)
            run(check, f"{rows}x{cols} shift={shift}", "cumsum", x, y, rows, cols)
            check.close(f"{rows}x{cols} shift={shift}", y, x.view.double().cumsum(1), F32)
    x, y = Guarded([8, 8], data=normal(8, 8)), Guarded([8, 8])
    check.empty("rows=0", call("cumsum", x, y, 0, 8), y)
    check.empty("cols=0", call("cumsum", x, y, 8, 0), y)
    check.refused("cols=16385", call("cumsum", x, y, 1, 16385), y)


def row_argmax(check):
    for rows, cols in MATRICES + WIDE:
        for shift in (0, 1):
            x = Guarded([rows, cols], shift=shift, data=normal(rows, cols))
            out = Guarded([rows], torch.int32)
            run(check, f"{rows}x{cols} shift={shift}", "row_argmax", x, out, rows, cols)
            check.same(f"{rows}x{cols} shift={shift}", out, x.view.double().argmax(1).int())
            x.view[:, cols // 3] = x.view[:, cols // 2] = 9.0  # equal maxima: the first wins
            run(check, f"ties {rows}x{cols}", "row_argmax", x, out, rows, cols)
            check.same(f"ties {rows}x{cols}", out, torch.full_like(out.view, cols // 3))
    x, out = Guarded([8, 8], data=normal(8, 8)), Guarded([8], torch.int32)
    check.empty("rows=0", call("row_argmax", x, out, 0, 8), out)
    check.refused("cols=16385", call("row_argmax", x, out, 1, 16385), out)


def large(check):
    """More than 2^31 elements: addresses that do not fit in 32 bits."""
    n = (1 << 31) + 3
    if torch.cuda.mem_get_info()[0] > 40 << 30 and launchers.built("ours", "vector_add"):
        a, b = (torch.randn(n, device=DEVICE) for _ in range(2))
        c = torch.full((n,), math.nan, device=DEVICE)
        run(check, f"vector_add n={n}", "vector_add", a, b, c, n)
        for start in range(0, n, 1 << 28):
            part = slice(start, min(start + (1 << 28), n))
            check.same(f"vector_add {part}", c[part], a[part] + b[part])
        del a, b, c
        torch.cuda.empty_cache()
    if torch.cuda.mem_get_info()[0] > 30 << 30 and launchers.built("ours", "softmax"):
        rows, cols, stride = 40000, 256, 65536
        x = torch.empty(rows * stride, device=DEVICE).as_strided((rows, cols), (stride, 1))
        y = torch.full((rows * stride,), math.nan, device=DEVICE).as_strided(
            (rows, cols), (stride, 1)
        )
        x.normal_()
        run(check, "softmax rows * stride > 2^31", "softmax", x, y, rows, cols, stride)
        check.close("softmax rows * stride > 2^31", y, torch.softmax(x.double(), -1), F32)


FUNCTIONS = {**globals(), **vars(check_products), **vars(check_hopper)}
CHECKS = {name: FUNCTIONS[name] for name in launchers.libraries()}
if ON_GPU:
    CHECKS["large"] = large


def built_for(name):
    return not name.startswith(("hopper_", "sm_90_")) or os.environ.get("ARCH") == "90a"


def child(name, log):
    """One kernel's check, in this forked process; the result goes to `log`.json."""
    signal.alarm(SECONDS)
    os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
    os.dup2(1, 2)
    check = Check(name)
    try:
        torch.manual_seed(int.from_bytes(os.urandom(4), "little"))
        CHECKS[name](check)
        launchers.synchronize()
    except Exception as error:  # the other kernels' processes go on
        check.fail("stopped", f"{type(error).__name__}: {str(error)[:300]}")
    with open(log + ".json", "w") as file:
        json.dump(dict(count=check.count, worst=check.worst, failures=check.failures), file)
    sys.stdout.flush()
    os._exit(0)


def finish(name, log, status, seconds):
    text = open(log).read() if os.path.exists(log) else ""
    try:
        result = json.load(open(log + ".json"))
    except (OSError, ValueError):
        result = dict(count=0, worst=0.0, failures=[f"ended with status {status}"])
    ok = not result["failures"]
    print(
        f"{'ok   ' if ok else 'WRONG'} {name:28s} {result['count']:4d} checks, "
        f"worst error {result['worst']:.1e}, {seconds:.1f} s"
        + ("" if ok else f", {len(result['failures'])} failures: {result['failures'][0][:160]}"),
        flush=True,
    )
    if not ok:
        print(text[:1500], flush=True)
    return result


def main(names):
    results, running, folder = {}, {}, tempfile.mkdtemp()
    waiting = []
    for name in names:
        if name != "large" and not launchers.built("ours", name):
            results[name] = dict(count=0, worst=0.0, failures=["not built"])
            print(f"WRONG {name:28s} not built", flush=True)
        else:
            waiting.append(name)
    while waiting or running:
        # `large` needs most of the memory, so it runs alone, last.
        while waiting and len(running) < AT_ONCE and (waiting[0] != "large" or not running):
            name = waiting.pop(0)
            log = os.path.join(folder, name)
            pid = os.fork()
            if pid == 0:
                child(name, log)
            running[pid] = (name, log, time.time())
        pid, status = os.wait()
        name, log, start = running.pop(pid)
        results[name] = finish(name, log, status, time.time() - start)
    wrong = [name for name, result in results.items() if result["failures"]]
    total = sum(result["count"] for result in results.values())
    print(f"check: {total} checks, " + (f"WRONG: {' '.join(wrong)}" if wrong else "all right"))
    with open(os.path.join(os.environ.get("OUT", "."), "check.json"), "w") as file:
        json.dump(results, file, indent=1)
    return 1 if wrong else 0


if __name__ == "__main__":
    # Kernels for Hopper alone are not built for other GPUs.
    chosen = sys.argv[1:] or [n for n in CHECKS if built_for(n) or launchers.built("ours", n)]
    sys.exit(main(sorted(chosen, key=lambda name: name == "large")))
