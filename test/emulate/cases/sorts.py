"""Long chains of dependent integers that move between threads: bitonic sorts, hashes with several readers."""

from case import Table, warps_of

table = Table()

PASSES = """
static_for<BITS>([&](auto level) {
  constexpr int L = level;
  static_for<L + 1>([&](auto step) {
    // The first step meets the group's mirror image, the others the other half of ever smaller parts.
    constexpr int H = 1 << (L - step), LENGTH = step > 0 ? H : 1;
    auto turn = [&](auto x) { return ravel(flip<1>(reshape<SIZE / (2 * H), 2 * H / LENGTH, LENGTH>(x))); };
    auto turned = turn(key), with = turn(place);
    auto less = turned < key | turned == key & with < place;
    auto takes = where((arange<SIZE>() >> (L - step) & 1) == 1, !less, less);
    key = where(takes, turned, key);
    place = where(takes, with, place);
  });
});
"""


def sorts():
    for bits in (4, 6, 8):
        name = f"sort_{1 << bits}"
        table.add(
            name,
            "const int* x = below(rows * n, 50)\nint* keys = out(rows * n)\nint* places = out(rows * n)\nint rows\nint n",
            f"""
            auto row = grid(rows);
            auto i = arange<{1 << bits}>();
            auto key = load(x + row * n + i, i < n, 1000);
            auto place = i;
            {PASSES.replace("BITS", str(bits)).replace("SIZE", str(1 << bits))}
            store(keys + row * n + i, key, i < n);
            store(places + row * n + i, place, i < n);
            """,
            [{"rows": r, "n": n} for r, n in ((3, 1 << bits), (2, (1 << bits) - 3), (1, 1), (0, 5))],
            warps=warps_of(name, 2),
        )


def hashes():
    """Each step reads the one before several times."""
    for steps in (3, 9):
        mix = "h = (h ^ (h >> 7)) * 0x9e3779b1u + (h << 3 ^ v);\n" * steps
        table.add(
            f"hash_{steps}",
            "const unsigned* x = distinct(n)\nunsigned* a = out(n)\nunsigned* b = out(n)\nunsigned* c = out((n + 255) // 256)\nint n",
            f"""
            auto pid = grid(cdiv(n, 256));
            auto i = pid * 256 + arange<256>();
            auto v = load(x + i, i < n, 0u);
            auto h = v ^ 0x85ebca6bu;
            {mix}
            auto turned = flip(h);
            store(a + i, h ^ turned, i < n);
            store(b + i, h, i < n);
            store(c + pid, xor_sum(where(i < n, h, 0u)));
            """,
            [{"n": n} for n in (512, 700, 5, 0)],
            warps=(1, 3, 4),
        )


sorts()
hashes()
