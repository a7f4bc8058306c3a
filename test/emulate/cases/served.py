"""Kernels as servers of language models have them: pages of a cache, experts, states, packed weights, sampling, ragged batches."""

from case import Table, warps_of

SMALL = ", 1e-4, 1e-5"  # sums of a few hundred products of small numbers


def caches(table, prefix):
    """Keys and values in pages that a table names."""
    for d, page in ((16, 4), (64, 16), (32, 1)):
        name = f"{prefix}served_pages_{d}_{page}"
        table.add(name, f"const float* q = unit(3 * {d})\nconst float* keys = unit(8 * {page * d})\nconst float* values = unit(8 * {page * d})\nconst int* pages = below(3 * 8, 8)\n"
                  f"const int* lengths = below(3, {8 * page + 1})\nconst float* slope = unit(3)\nfloat* out = out(3 * {d}{SMALL})\nint n", f"""
                  auto row = grid(n);
                  auto i = arange<{d}>();
                  auto j = arange<{page}>();
                  auto query = load(q + row * {d} + i);
                  const int length = lengths[row];
                  auto acc = zeros<float, {d}>();
                  float most = -inf, total = 0;
                  int b = cdiv(length, {page});
                  while (b-- > 0) {{
                    const int64_t first = int64_t(pages[row * 8 + b]) * {page};
                    auto at = (first + j[all, none]) * {d} + i[none, all];
                    auto inside = b * {page} + j < length;
                    auto scores = sum<1>(query[none, all] * load(keys + at, inside[all, none])) * 0.25f;
                    if (slope) scores += slope[row] * (b * {page} + j - length + 1);
                    scores = where(inside, scores, -inf);
                    const float next = maximum(most, max(scores));
                    const float scale = exp(most - next);
                    auto weights = exp(scores - next);
                    total = total * scale + sum(weights);
                    acc = acc * scale + sum<0>(weights[all, none] * load(values + at, inside[all, none]));
                    most = next;
                  }}
                  store(out + row * {d} + i, acc / maximum(total, 1e-20f));
                  """, [{"n": n, "null": null} for n in (3, 1, 0) for null in ((), ("slope",))], warps=warps_of(name, 2))
    for d in (8, 32, 128):
        name = f"{prefix}served_write_{d}"
        table.add(name, f"const float16* k = small(5 * {d})\nconst float* turns = unit(16 * {d // 2})\nconst int* at = below(5, 16)\nconst int* slots = below(5, 3)\n"
                  f"float16* cache = out(3 * 5 * {d}, 1e-3, 1e-3)\nint n", f"""
                  auto row = grid(n);
                  const int64_t slot = row * 3 + slots[row];
                  if (row == 2) return;
                  auto i = arange<{d // 2}>();
                  auto one = cast<float>(load(k + row * {d} + i));
                  auto other = cast<float>(load(k + row * {d} + {d // 2} + i));
                  auto turn = load(turns + at[row] * {d // 2} + i);
                  auto c = 1 - turn * turn;
                  store(cache + slot * {d} + i, one * c - other * turn);
                  store(cache + slot * {d} + {d // 2} + i, other * c + one * turn);
                  """, [{"n": n} for n in (5, 1, 0)], warps=warps_of(name, 2))


def experts(table, prefix):
    """Tokens in the order of their experts, in blocks that one expert has, and a product for each block."""
    for tokens, block in ((16, 4), (64, 16), (32, 8)):
        name = f"{prefix}served_align_{tokens}_{block}"
        room = tokens + 8 * block
        table.add(name, f"const int* chosen = below({tokens}, 8)\nint* order = out({room})\nint* experts = out({room // block})\nint* used = out(1)\nint n", f"""
                  grid(1);
                  auto i = arange<{tokens}>();
                  auto ids = load(chosen + i, i < n, 8);
                  auto counts = histogram<8>(ids);
                  auto padded = cdiv(counts, {block}) * {block};
                  auto ends = cumsum(padded);
                  auto starts = ends - padded;
                  auto before = cumsum(counts) - counts;
                  auto sorted = argsort(ids);
                  auto expert = minimum(gather(ids, sorted), 7);
                  store(order + arange<{room}>(), {tokens});
                  store(order + gather(starts, expert) + i - gather(before, expert), sorted, i < n);
                  const int total = sum(padded);
                  *used = total;
                  for (int e = 8; e-- > 0;) {{
                    int b = extract(ends, e) / {block};
                    while (b-- > extract(starts, e) / {block}) experts[b] = e;
                  }}
                  """, [{"n": n} for n in (tokens, tokens - 5, 1, 0)], warps=warps_of(name, 2))
    for n, k in ((32, 64), (64, 32)):
        name = f"{prefix}served_experts_{n}_{k}"
        table.add(name, f"const float16* a = small(33 * {k})\nconst float16* w = small(4 * {n * k})\nconst int* tokens = below(64, 33)\nconst int* experts = below(4, 4)\nconst float* weights = small(64)\n"
                  f"float* out = out(64 * {n})\nint blocks\nint count", f"""
                  auto pid = grid(blocks);
                  auto row = pid * 16 + arange<16>();
                  auto token = load(tokens + row);
                  auto inside = token < count;
                  const int expert = experts[pid];
                  auto j = arange<{n}>();
                  auto acc = zeros<float, 16, {n}>();
                  for (int k0 = 0; k0 < {k}; k0 += 16) {{
                    auto k = k0 + arange<16>();
                    auto x = load(a + token[all, none] * {k} + k[none, all], inside[all, none]);
                    acc = dot(x, load(w + expert * {n * k} + j[none, all] * {k} + k[all, none]), acc);
                  }}
                  if (weights) acc *= load(weights + row, inside)[all, none];
                  store(out + row[all, none] * {n} + j[none, all], acc, inside[all, none]);
                  """, [{"blocks": b, "count": c, "null": null} for b, c in ((4, 33), (3, 20), (1, 1), (0, 33)) for null in ((), ("weights",))], warps=(1, 4))


def states(table, prefix):
    """Recurrences over tokens, and a window that moves on."""
    for d, s in ((8, 16), (4, 1), (33, 5)):
        name = f"{prefix}served_scan_{d}_{s}"
        table.add(name, f"const float* x = unit(7 * {d})\nconst float* dt = unit(7 * {d})\nconst float* a = unit({d * s})\nconst float* b = unit(7 * {s})\nconst float* c = unit(7 * {s})\n"
                  f"float* h = unit({d * s}{SMALL})\nfloat* y = out(7 * {d}{SMALL})\nint n", f"""
                  grid(1);
                  auto i = arange<{d}>();
                  auto k = arange<{s}>();
                  auto at = i[all, none] * {s} + k[none, all];
                  auto decay = -exp(load(a + at));
                  auto state = load(h + at);
                  for (int t = 0; t < n; ++t) {{
                    auto step = load(dt + t * {d} + i);
                    step = where(step > 20, step, log1p(exp(step)));
                    auto now = load(x + t * {d} + i);
                    state = state * exp(step[all, none] * decay) + (step * now)[all, none] * load(b + t * {s} + k)[none, all];
                    store(y + t * {d} + i, sum<1>(state * load(c + t * {s} + k)[none, all]) + now);
                  }}
                  store(h + at, state);
                  """, [{"n": n} for n in (7, 1, 0)], warps=warps_of(name, 2))
        name = f"{prefix}served_window_{d}_{s}"
        table.add(name, f"const float* x = small(3 * {d})\nconst float* w = small({d} * {s + 1})\nconst int* slots = below(3, 2)\nfloat* states = small(2 * 3 * {d * (s + 1)})\nfloat* y = out(3 * {d})\nint n", f"""
                  auto row = grid(n);
                  auto i = arange<{d}>();
                  auto at = i[all, none] * {s + 1} + arange<{s + 1}>()[none, all];
                  float* state = states + (row * 2 + slots[row]) * {d * (s + 1)};
                  auto old = load(state + at);
                  auto moved = insert(old, old[all, slice<1, {s + 1}>], 0, 0);
                  moved = insert(moved, load(x + row * {d} + i)[all, none], 0, {s});
                  store(state + at, moved);
                  store(y + row * {d} + i, sum<1>(moved * load(w + at)));
                  """, [{"n": n} for n in (3, 1, 0)], warps=warps_of(name, 2))


NIBBLES = "constexpr int @_order[8] = {0, 4, 1, 5, 2, 6, 3, 7};\n"


def weights(table, prefix):
    """Products with weights of 4 and 8 bits and their scales."""
    for n, k, group in ((32, 64, 32), (64, 128, 64)):
        name = f"{prefix}served_nibbles_{n}_{k}"
        table.add(name, f"const float16* a = small(16 * {k})\nconst int* packed = bits({k * n // 8})\nconst int* zeros_of = bits({k // group * n // 8})\nconst float16* scales = small({k // group * n})\n"
                  f"float* y = out(16 * {n})\nint m", f"""
                  grid(1);
                  auto i = arange<16>();
                  auto j = arange<{n}>();
                  auto shift = load({name}_order + j % 8) * 4;
                  auto acc = zeros<float, 16, {n}>();
                  int steps = {k // 16};
                  while (steps-- > 0) {{
                    auto kk = steps * 16 + arange<16>();
                    const int g = steps * 16 / {group};
                    auto bits = load(packed + kk[all, none] * {n // 8} + j[none, all] / 8) >> shift[none, all] & 15;
                    auto zero = load(zeros_of + g * {n // 8} + j / 8) >> shift & 15;
                    auto w = cast<float16>(bits - zero[none, all]) * load(scales + g * {n} + j)[none, all];
                    acc = dot(load(a + i[all, none] * {k} + kk[none, all], i[all, none] < m), w, acc);
                  }}
                  store(y + i[all, none] * {n} + j[none, all], acc, i[all, none] < m);
                  """, [{"m": m} for m in (16, 3, 1, 0)], helpers=NIBBLES.replace("@", name), warps=(1, 4))
    for kind in ("float8_e4m3", "int8_t"):
        name = f"{prefix}served_blocks_{kind}"
        sum_type = "float" if kind.startswith("f") else "int"
        table.add(name, f"const {kind}* a = small(64 * 128)\nconst {kind}* w = small(32 * 128)\nconst float* sa = small(64 * 4)\nconst float* sw = small(4)\nfloat* y = out(64 * 32{SMALL})\nint m\nint k", f"""
                  auto pid = grid(cdiv(m, 32));
                  auto i = pid * 32 + arange<32>();
                  auto j = arange<32>();
                  auto acc = zeros<float, 32, 32>();
                  for (int b = cdiv(k, 32); b-- > 0;) {{
                    auto kk = b * 32 + arange<32>();
                    auto inside = kk < k;
                    auto x = load(a + i[all, none] * 128 + kk[none, all], (i[all, none] < m) & inside[none, all], {kind}(0));
                    auto part = dot(x, load(w + j[none, all] * 128 + kk[all, none], inside[all, none], {kind}(0)), zeros<{sum_type}, 32, 32>());
                    acc += cast<float>(part) * (load(sa + i * 4 + b, i < m) * sw[b])[all, none];
                  }}
                  store(y + i[all, none] * 32 + j[none, all], acc, i[all, none] < m);
                  """, [{"m": m, "k": k} for m, k in ((64, 128), (33, 100), (1, 32), (0, 1))], warps=(2, 4))


def rows(table, prefix):
    """Sampling, ragged batches, and gradients that programs add up under locks."""
    for n in (8, 37, 128):
        name = f"{prefix}served_sample_{n}"
        table.add(name, f"const float* logits = below(3 * {n}, 6)\nconst float* drawn = unit(3)\nint* token = out(3)\nint* kept = out(3)\nint rows\nint count", f"""
                  auto row = grid(rows);
                  auto i = arange<{n}>();
                  auto x = load(logits + row * {n} + i, i < count, -inf);
                  auto order = argsort(x, descending);
                  auto weight = exp2(gather(x, order) - max(x));
                  auto before = cumsum(weight) - weight;
                  auto keep = before < sum(weight) * 0.75f;
                  auto left = where(keep, weight, 0);
                  const float limit = abs(drawn[row]) * sum(left);
                  const int at = minimum(sum(cast<int>((cumsum(left) <= limit) & keep)), sum(cast<int>(keep)) - 1);
                  kept[row] = sum(cast<int>(keep));
                  token[row] = extract(order, at);
                  """, [{"rows": r, "count": c} for r, c in ((3, n), (2, n - 3), (1, 1), (0, 1))], warps=warps_of(name, 2))
        name = f"{prefix}served_ragged_{n}"
        table.add(name, f"const float* x = unit(4 * {n})\nconst int* lengths = below(4, {n + 1})\nconst float* scale = unit({n})\nfloat* y = out(4 * {n}{SMALL})\nint rows", f"""
                  auto row = grid(rows);
                  int64_t start = 0;
                  for (int k = int(row); k-- > 0;) start += lengths[k];
                  const int length = lengths[row];
                  auto i = arange<{n}>();
                  auto v = load(x + start + i, i < length, -inf);
                  if (length == 0) return;
                  auto p = softmax(v);
                  if (scale) p *= load(scale + i, i < length);
                  store(y + start + i, p, i < length);
                  """, [{"rows": r, "null": null} for r in (4, 1, 0) for null in ((), ("scale",))], warps=warps_of(name, 2))
        name = f"{prefix}served_gradient_{n}"
        table.add(name, f"const float* x = small(6 * {n})\nconst float* dy = small(6 * {n})\nconst float* w = small({n})\nfloat* dx = out(6 * {n}{SMALL})\nfloat* dw = zero(2 * {n})\nint* locks = zero(4)\nint rows\nint columns", f"""
                  auto row = grid(rows);
                  auto i = arange<{n}>();
                  auto inside = i < columns;
                  auto v = load(x + row * {n} + i, inside);
                  auto g = load(dy + row * {n} + i, inside);
                  const float r = rsqrt(sum(v * v) / columns + 1);
                  auto gw = g * load(w + i, inside);
                  store(dx + row * {n} + i, r * (gw - v * r * r * sum(gw * v) / columns), inside);
                  const int which = int(row) % 2;
                  while (atomic_cas(locks + which, 0, 1, memory_order::acquire) != 0) {{
                  }}
                  float* sums = dw + which * {n};
                  auto now = g * rint(v);
                  if (locks[2 + which] == 0) {{
                    locks[2 + which] = 1;
                  }} else {{
                    now += load(sums + i, inside);
                  }}
                  store(sums + i, now, inside);
                  atomic_store(locks + which, 0);
                  """, [{"rows": r, "columns": c} for r, c in ((6, n), (5, n - 3), (1, 1), (0, 1))], warps=warps_of(name, 2))


def make(*flags, prefix="", **defaults):
    table = Table(*flags, checks_overflow=True, **defaults)
    for group in (caches, experts, states, weights, rows):
        group(table, prefix)
    return table


table = make()
