#!/usr/bin/env python3
"""Pastes every device helper alone, as the emitter does, with only what its `needs` and `include` name.

slice_helpers.py > all.cu writes one file with a namespace per helper, in which a line of code uses it: what is
missing from a marker does not compile. Fails itself where a marker names something that is not there.
slice_helpers.py --include > all.cpp writes the same uses over the included header: for the emulator's twins.
The format is described at the top of runtime/include/tile2cu/device.cuh.
"""
import pathlib
import re
import sys

DEVICE = pathlib.Path(__file__).resolve().parents[3] / "runtime/include/tile2cu/device"
MARKER = re.compile(r"// @helper ([\w., ]+?)(?: needs ([\w., ]+?))?(?: include ([<>\w., ]+))?$")

# A use of each helper: expressions over float* p, double d, uint32_t u, int i, bool b, float x, __half h.
USES = {
    "bit_cast": "bit_cast<uint32_t>(x)",
    "vec": "vec<float, 4>{}[i]",
    "same": "same<int>(i)",
    "words": "sizeof(words<float, 8>)",
    "cache": "int(cache::read_only)",
    "policy": "sizeof(policy<cache::read_only>)",
    "load_word_if": "load_word_if(policy<cache::read_only>(), b, p, u)",
    "store_word_if": "store_word_if(policy<cache::write_back>(), b, p, u)",
    "keep_whole": "keep_whole(u)",
    "load_shared": "load_shared<4>(p)",
    "store_shared": "store_shared(p, vec<float, 8>{})",
    "load_words": "load_words<4, cache::read_only>(b, p, 0.0f)",
    "load_if": "load_if<4>(b, p, 0.0f)",
    "load_element_if": "load_element_if(b, p, 0.0f)",
    "load_prefix": "load_prefix<8>(i, p, 0.0f)",
    "store_if": "store_if<4>(b, p, vec<float, 4>{})",
    "store_element_if": "store_element_if(b, p, x)",
    "store_prefix": "store_prefix<8>(i, p, vec<float, 8>{})",
    "maximum_nan": "maximum_nan(x, x)",
    "minimum_nan": "minimum_nan(x, x)",
    "umulhi": "umulhi(u, u)",
    "mulhi": "mulhi(i, i) + int(mulhi(int64_t(i), int64_t(i)))",
    "multiply_wide": "multiply_wide(u, u)",
    "fdiv": "fdiv(x, x) + fdiv(d, d)",
    "pow": "pow(x, x) + pow(d, d)",
    "hypot": "hypot(x, x) + hypot(d, d)",
    "fma": "fma(x, x, x) + fma(d, d, d)",
    "negate": "negate(i) + negate(u) + negate(int64_t(i))",
    "absolute": "absolute(x) + absolute(d) + absolute(i)",
    "maximum": "maximum(i, i) + maximum(int64_t(i), int64_t(i)) + maximum(u, u)",
    "maximum_number": "maximum_number(x, x) + maximum_number(d, d) + maximum_number(i, i)",
    "minimum": "minimum(i, i) + minimum(int64_t(i), int64_t(i)) + minimum(u, u)",
    "minimum_number": "minimum_number(x, x) + minimum_number(d, d) + minimum_number(i, i)",
    "saturating_sub": "int(saturating_sub(i, int64_t{1} << 40))",
    "to_float": "to_float(__half(x)) + to_float(__nv_bfloat16(x))",
    "to_float_rz": "to_float_rz(d) + to_float_rz(i) + to_float_rz(int64_t(i)) + to_float_rz(uint64_t(i))",
    "to_double_rz": "to_double_rz(int64_t(i)) + to_double_rz(uint64_t(i))",
    "to_half": "to_half(x), to_half(int64_t(i)), to_half(uint64_t(i))",
    "to_half_rz": "to_half_rz(x)",
    "small_to_half": "small_to_half<-8>(i)",
    "small_to_bfloat16": "small_to_bfloat16<0>(i)",
    "bytes_to_half": "p[0] = float(bytes_to_half(vec<int8_t, 8>{})[i]), p[0] = float(bytes_to_half(vec<uint8_t, 2>{})[i])",
    "bytes_to_bfloat16": "p[0] = float(bytes_to_bfloat16(vec<uint8_t, 4>{})[i])",
    "to_bfloat16": "to_bfloat16(x), to_bfloat16(int64_t(i)), to_bfloat16(uint64_t(i))",
    "to_bfloat16_rz": "to_bfloat16_rz(x)",
    "to_float8": "float(to_float8<__nv_fp8_e4m3>(d)) + float(to_float8<__nv_fp8_e5m2>(d))",
    "to_float8_rz": "float(to_float8_rz<__nv_fp8_e4m3>(x)) + float(to_float8_rz<__nv_fp8_e5m2>(x))",
    "multiply": "multiply(__half(x), __half(x)) + multiply(__half(x), __half(x))",
    "lowest": "lowest<float>() + lowest<int>()",
    "highest": "highest<float>() + highest<int>()",
    "indexed": "indexed<float>{x, i}.index",
    "index_order": "index_order(indexed<float>{x, i}, indexed<float>{x, 1})",
    "argmax_op": "argmax_op<float>()(argmax_op<float>::identity(), {x, i}).index + argmax_op<int>::identity().index",
    "argmin_op": "argmin_op<float>()(argmin_op<float>::identity(), {x, i}).index",
    "exchange_words": "exchange_words(x, [](uint32_t word) { return word; })",
    "warp_shuffle": "warp_shuffle(x, i)",
    "warp_broadcast": "warp_broadcast(x, i)",
    "warp_shuffle_xor": "warp_shuffle_xor(d, 1)",
    "exchange_lanes": "exchange_lanes<1>(vec<float, 2>{}, vec<float, 2>{})[i]",
    "any_of": "any_of(b)",
    "warp_any": "warp_any(b)",
    "warp_all": "warp_all(b)",
    "is_symmetric": "is_symmetric<int>::value",
    "shared_add": "[&] { __shared__ int count; __shared__ float sum; shared_add(count, i), shared_add(sum, x); }()",
    "sort_word": "sizeof(sort_word<float>)",
    "sort_bits": "sort_bits(x) + sort_bits(i) + sort_bits(u)",
    "from_sort_bits": "from_sort_bits<float>(u)",
    "sort_key": "sort_key<float>::of(x).value()",
    "indexed_key": "indexed_key<float, true>::of(x, i).index()",
    "order_keys": "order_keys(u, u)",
    "merge_keys": "[] { uint32_t keys[4] = {}; merge_keys<4>(keys); return keys[0]; }()",
    "sort_runs": "[] { uint32_t keys[4] = {}; sort_runs<2>(keys); return keys[0]; }()",
    "thread_first": "[] { uint32_t keys[4] = {}; thread_first<2>(keys); return keys[0]; }()",
    "warp_sort": "[] { uint32_t keys[4] = {}; warp_sort<8, 2>(keys); return keys[0]; }()",
    "sort_merged": "[] { uint32_t keys[4] = {}; sort_merged<2, 2>(keys, 4); return keys[0]; }()",
    "kept_lanes": "kept_lanes<8, 16, 4>",
    "warp_first": "[] { uint32_t keys[4] = {}; warp_first<2, 8, 2>(keys); return keys[0]; }()",
    "share_first": "[] { uint32_t keys[4] = {}, all[33] = {}; share_first<16>(keys, all, 1); return all[0]; }()",
    "merge_first": "[] { uint32_t keys[4] = {}, all[33] = {}; merge_first<16, 2>(keys, all, 1); return keys[0]; }()",
    "shared_key": "[] { uint32_t keys[33] = {}; return shared_key(keys, 31); }()",
    "share_keys": "[] { uint32_t keys[1] = {}, all[33] = {}; share_keys(keys, all, 0); return all[0]; }()",
    "merge_runs": "[] { uint32_t keys[1] = {}, all[33] = {}; merge_runs<32>(keys, all, 16, 0); return keys[0]; }()",
    "warp_reduce": "warp_reduce(x, [](float a, float c) { return a + c; })",
    "warp_shift_up": "warp_shift_up(x, 0.0f)",
    "warp_shift_down": "warp_shift_down(x, 0.0f)",
    "warp_scan": "warp_scan(x, [](float a, float c) { return a + c; })",
    "warp_scan_reverse": "warp_scan_reverse(x, [](float a, float c) { return a + c; })",
    "block_reduce": "block_reduce(x, [](float a, float c) { return a + c; }, partial)",
    "atomic_update": "atomic_update(p, [](float a) { return a + 1.0f; })",
    "atomic_add": "atomic_add(p, x)",
    "atomic_bits": "atomic_bits<float>(u)",
    "atomic_cas": "atomic_cas(p, x, x)",
    "ordered_cas": "ordered_cas<memory_order::acquire, scope::system>(p, x, x)",
    "atomic_min_integer": "atomic_min_integer<scope::system>((int*)p, i)",
    "atomic_max_integer": "atomic_max_integer<scope::gpu>((int*)p, i)",
    **{f"atomic_{name}": f"atomic_{name}(p, x)" for name in ("min", "max", "xchg")},
    **{f"atomic_{name}": f"atomic_{name}((int*)p, i)" for name in ("and", "or", "xor", "inc", "dec")},
    **{f"ordered_{name}": f"ordered_{name}<memory_order::release>(p, x)" for name in ("min", "max", "xchg")},
    **{f"ordered_{name}": f"ordered_{name}<memory_order::acq_rel, scope::system>((int*)p, i)" for name in ("and", "or", "xor", "inc", "dec")},
    "atomic_load": "atomic_load(p)",
    "ordered_load": "ordered_load<memory_order::acquire>(p) + ordered_load<memory_order::acquire, scope::block>(p)",
    "atomic_store": "(atomic_store(p, x), 0)",
    "ordered_store": "(ordered_store<memory_order::release>(p, x), ordered_store<memory_order::relaxed, scope::system>(p, x), 0)",
    "load_relaxed": "load_relaxed(p)",
    "store_relaxed": "(store_relaxed(p, x), 0)",
    "fence": "(fence<scope::block>(), fence<scope::gpu>(), fence<scope::system>(), 0)",
    "ordered": "ordered<memory_order::acquire, scope::gpu>([&] { return *p; })",
    "reduce_add_if": "reduce_add_if(b, p, x)",
    "reduce_add_words": "reduce_add_words(p, vec<uint32_t, 2>{u, u}), reduce_add_words(p, vec<uint32_t, 4>{u, u, u, u})",
    "reduce_add_vector_if": "reduce_add_vector_if<4>(b, p, vec<float, 4>{x, x, x, x})",
    "reduce_add_prefix": "reduce_add_prefix<2>(i, p, vec<float, 2>{x, x})",
    "memory_order": "int(memory_order::acq_rel)",
    "scope": "int(scope::system)",
    "ordered_add": "ordered_add<memory_order::acq_rel>(p, x) + ordered_add<memory_order::release, scope::system>(p, x)",
    "philox4x32": "philox4x32(u, u)[0]",
    "random_bits": "random_bits<4>(u, u)[0] + random_bits<1>(u, u)[0]",
    "to_uniform": "to_uniform(u)",
    "uniform_threshold": "u > uniform_threshold(x)",
    "aligned": "aligned<16>(p)",
    "divisible": "divisible<4>(i)",
    "resident_blocks": "resident_blocks(128, 1024)",
    "device_words": "device_words(i)",
    "tuning_folder": "tuning_folder()",
    "tuning_file": "(tuning_file(\"x\", 1u, i).read<2>([](const std::array<int64_t, 2>&, int) {}),"
    " tuning_file(\"x\", 1u, i).write<2>({1, 2}, 0), 0)",
    "tuning_mode": "get_tuning_mode()",
    "can_time": "can_time(nullptr)",
    "relaxed_capture": "sizeof(relaxed_capture)",
    "memory_range": "memory_range{p, 4}.bytes",
    "preserve": "preserve(p, i, 2u).bytes",
    "saved_memory": "saved_memory({{p, 4}}, nullptr).restore()",
    "stopwatch": "stopwatch(nullptr, i)([] { return cudaSuccess; })",
    "fastest": "fastest<3>([](int) { return 1.0f; })",
    "tuner": "[](float* q) { static tuner<2, 1> t(\"x\", 1u); cudaError_t (*const all[])() = {nullptr, nullptr};"
    " const auto run = [](auto* f) { return f(); }; t.pin(1); t.launch_untimed(all, {1}, run);"
    " return t.launch(all, {1}, nullptr, run, {{q, 4}}); }(p)",
    "fill": "fill(partial, x), fill(i, 1)",
    "as_vec": "p[0] = as_vec<1>(p)[0]",
    "load_vec": "p[0] = load_vec<1>(p)[0]",
    "store_vec": "store_vec<1>(p, p + 1)",
    "operand_fragment": "[&] { uint32_t r[4]; vec<__half, 2> sums[2] = {}; operand_fragment(r, sums, sums); i = int(r[0]); }()",
    "swizzle": "i = swizzle<64>(i, 8)",
    "swizzled": "[&] { __shared__ float tile[16][32]; swizzled(tile, i, 8) = x; }()",
    "step_count": "i = step_count(3, i, 3)",
    "coordinate": "coordinate(i)",
    "signed_coordinate": "signed_coordinate(i)",
    "swizzle_panels": "i = swizzle_panels<16, 64>(i, 72)",
    "packed_fragment": "[&] { vec<__half, 2> rows[2] = {}; p[0] = float(packed_fragment(rows)[1]); }()",
    "gather_fragment": "[&] { uint32_t r[4]; double s[1]; gather_fragment(r, (const int8_t*)p, 1, 48); gather_fragment(s, &d, 1, 4); "
    "p[0] = float(r[3]) + float(s[0]); }()",
    "gather_fragment_at": "[&] { uint32_t r[4]; gather_fragment_at(r, [&](int across, int along) { return (const int8_t*)p + across * 48 + along; }); "
    "p[0] = float(r[3]); }()",
    "zero_shared": "zero_shared<32>(partial, i)",
    "split_tf32": "[&] { uint32_t r[2] = {u, u}, s[2]; split_tf32(r, s); p[0] = float(r[0] + s[1]); }()",
    "cdiv": "cdiv(i, 4)",
    "grid_size": "grid_size({i, 4})",
    "multiprocessors": "multiprocessors(i)",
    "allow_shared_memory": "allow_shared_memory<static_cast<void (*)(float*)>(nullptr)>(1)",
    "limit_to_resident": "[&] { int64_t blocks = i; return limit_to_resident(blocks, +[](int) {}, 32, 0); }()",
    "cp_async": "cp_async<4>(partial, p), cp_async<8>(partial, p), cp_async<16>(partial, p)",
    "cp_async_if": "cp_async_if<4>(b, partial, p), cp_async_if<8>(b, partial, p), cp_async_if<16>(b, partial, p)",
    "cp_async_prefix": "cp_async_prefix<4>(i, partial, p), cp_async_prefix<8>(i, partial, p), "
                       "cp_async_prefix<16>(i, partial, p)",
    "copy_to_shared": "copy_to_shared<4>(partial, p)",
    "copy_to_shared_if": "copy_to_shared_if<4>(b, partial, p)",
    "copy_to_shared_prefix": "copy_to_shared_prefix<4>(i, partial, p)",
    "cp_async_commit": "cp_async_commit()",
    "cp_async_wait": "cp_async_wait<2>()",
    "fast_tanh": "p[0] = fast_tanh(x) + float(fast_tanh(d))",
    "to_tf32": "p[0] = float(to_tf32(x))",
    "pack_half": "p[0] = float(pack_half(x, x))",
    "pack_bfloat16": "p[0] = float(pack_bfloat16(x, x))",
    "pipeline_state": "[&] { pipeline_state<4> r; auto& at = *(mbarrier(*)[4])p; "
                      "i = r.producer_acquire(at) + r.consumer_wait(at) + r.phase; }()",
    "mbarrier": "sizeof(mbarrier)",
    "mbarrier_init": "mbarrier_init(*(mbarrier*)p, i)",
    "fence_mbarrier_init": "fence_mbarrier_init()",
    "mbarrier_arrive": "mbarrier_arrive(*(mbarrier*)p)",
    "mbarrier_arrive_expect_tx": "mbarrier_arrive_expect_tx(*(mbarrier*)p, i)",
    "mbarrier_wait": "mbarrier_wait(*(mbarrier*)p, i), mbarrier_wait(*(mbarrier*)p, 0)",
    "named_barrier_sync": "named_barrier_sync<256>(i)",
    "named_barrier_arrive": "named_barrier_arrive<256>(i)",
    "warpgroup_reg_alloc": "warpgroup_reg_alloc<232>()",
    "warpgroup_reg_dealloc": "warpgroup_reg_dealloc<40>()",
    "fence_proxy_async": "fence_proxy_async()",
    "tma_prefetch_map": "tma_prefetch_map(map)",
    "griddepcontrol_wait": "griddepcontrol_wait()",
    "griddepcontrol_launch_dependents": "griddepcontrol_launch_dependents()",
    "producer_tail": "[&] { pipeline_state<2> r; producer_tail(r, *(mbarrier(*)[2])p); }()",
    "cluster_rank": "i = cluster_rank<2>() + cluster_rank<1>()",
    "cluster_sync": "cluster_sync<2>(), cluster_sync<1>()",
    "mbarrier_arrive_cluster": "mbarrier_arrive_cluster<2>(*(mbarrier*)p, i), mbarrier_arrive_cluster<1>(*(mbarrier*)p, i)",
    "crosses_lines": "crosses_lines(p, {i, 8})",
    "launch": "launch<static_cast<void (*)(float*)>(nullptr)>(i, 32, 0, nullptr, p)",
    "launch_cluster": "launch_cluster(2, static_cast<void (*)(float*, int)>(nullptr), dim3(2), 32, 0, nullptr, p, 1)",
    "on_hopper": "on_hopper()",
    "device_assert": 'device_assert(i > 0, "text")',
    "check": 'check(i > 0, "text")',
    "check_value": 'check_value(i > 0, "text", i)',
    "launch_pdl": "launch_pdl(static_cast<void (*)(float*, int)>(nullptr), dim3(1, 2), 32, 0, nullptr, p, 1)",
    "tma_store_commit": "tma_store_commit()",
    "tma_store_wait_read": "tma_store_wait_read<2>()",
    "tma_store_wait": "tma_store_wait<0>()",
    "tensor_map_encoder": "[] { decltype(&cuTensorMapEncodeTiled) f; return tensor_map_encoder(f); }()",
    "make_tensor_map": "[&] { CUtensorMap map; return make_tensor_map(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, p, "
                       "{i, 8}, {64}, {4, 8}, 0); }()",
    "major": "int(major::k)",
    "wgmma_operand": "i = int(wgmma_operand<128>(p) + wgmma_operand<64>(p, 1024))",
    "wgmma_operand_rows": "i = int(wgmma_operand_rows(128))",
    "register_of": "[&] { vec<__half, 2> pair = {}; register_of(pair) = u; p[0] = float(pair[1]); }()",
    "keep_registers": "[&] { vec<__half, 2> c[4][2] = {}; keep_registers(c); p[0] = float(c[1][1][1]); "
                      "uint32_t r[4] = {}; keep_registers(r); p[1] = float(r[3]); }()",
    "wgmma_fence": "[&] { int c[2][4] = {}; wgmma_fence(c); wgmma_fence(); p[0] = float(c[1][1]); }()",
    "wgmma_commit": "wgmma_commit()",
    "wgmma_wait": "[&] { float c[2][4] = {}; wgmma_wait<1>(c); wgmma_wait<0>(); p[0] = c[1][1]; }()",
}


for rank in range(1, 6):
    USES[f"tma_load.{rank}"] = f"tma_load(p, map, *(mbarrier*)p{', i' * rank})"
    USES[f"tma_store.{rank}"] = f"tma_store(map, p{', i' * rank})"
for rank in (2, 3):
    USES[f"tma_load_multicast.{rank}"] = f"tma_load_multicast<2>(p, map, *(mbarrier*)p{', i' * rank})"


def use_of_stmatrix(name):
    count = int(name[10])
    return f"{name}(p{', u' * count})"


def use_of_ldmatrix(name):
    count = int(name[10])
    pairs = f" uint32_t s[2], t[2]; {name}(s, t, p + 4); p[1] = float(s[0] + s[1] + t[0] + t[1]);" if count == 4 else ""
    total = " + ".join(f"r[{i}]" for i in range(count))
    return f"[&] {{ uint32_t r[{count}]; {name}(r, p); p[0] = float({total});{pairs} }}()"


# The registers of a, b and d for each shape of mma_SHAPE_TYPE.
def use_of_mma(name):
    if name.endswith("f64"):
        return f"[&] {{ double a[1] = {{d}}, s[2] = {{d, d}}; {name}(s, a, a); p[0] = float(s[0] + s[1]); }}()"
    k, kind = re.match(r"mma_m16n8k(\d+)_(\w+)", name).groups()
    a = int(k) * {"f1": 2, "bf": 2, "tf": 4}.get(kind[:2], 1) // 8
    sums = "uint32_t s[2]" if kind == "f16_acc_f16" else "int s[4]" if kind[0] in "su" else "float s[4]"
    total = " + ".join(f"float(s[{i}])" for i in range(2 if kind == "f16_acc_f16" else 4))
    return (f"[&] {{ uint32_t a[{a}], c[{a // 2}]; for (auto& x : a) x = u++; for (auto& x : c) x = u++; {sums} = {{}}; "
            f"{name}(s, a, c); p[0] = {total}; }}()")

# The policies' defaults, which who uses a load or store pastes.
DEFAULTS = {name: ["load.read_only"] for name in ("load_if", "load_element_if", "load_prefix", "load_words", "load_word_if",
                                                    "copy_to_shared", "copy_to_shared_if", "copy_to_shared_prefix")}
DEFAULTS |= {name: ["store.write_back"] for name in ("store_if", "store_element_if", "store_prefix", "store_word_if")}
HOST = {"aligned", "divisible", "grid_size", "resident_blocks", "multiprocessors", "limit_to_resident",
        "allow_shared_memory"}
HOST |= {"device_words", "tuning_folder", "tuning_file", "tuning_mode", "can_time", "relaxed_capture", "memory_range"}
HOST |= {"tensor_map_encoder", "make_tensor_map", "launch", "launch_pdl", "launch_cluster", "crosses_lines", "on_hopper"}
HOST |= {"preserve", "saved_memory", "stopwatch", "fastest", "tuner"}


def sections():
    """[(names, needs, includes, text)] in the order of files and lines."""
    found = []
    for path in sorted(DEVICE.glob("*.cuh")):
        current = None
        for line in path.read_text().splitlines():
            if line.startswith("// @end"):
                current = None
            elif line.startswith("// @helper"):
                match = MARKER.match(line)
                if not match:
                    sys.exit(f"{path.name}: not a marker: {line}")
                names, needs, includes = ([w.strip() for w in (g or "").split(",") if w.strip()] for g in match.groups())
                current = (names, needs, includes, [])
                found.append(current)
            elif current:
                current[3].append(line)
    return found


def use_of(name):
    """The line of code that uses a helper."""
    if name in USES:
        return USES[name]
    if name.startswith("ldmatrix"):
        return use_of_ldmatrix(name)
    if name.startswith("stmatrix"):
        return use_of_stmatrix(name)
    if name.startswith("mma_"):
        return use_of_mma(name)
    if name.startswith("load."):
        return ";; ".join(
            f"load_word_if(policy<cache::{name[5:]}>(), b, p, {word})" for word in ("u", "u8", "u16", "u2", "u4"))
    if name.startswith("store."):
        return ";; ".join(
            f"store_word_if(policy<cache::{name[6:]}>(), b, p, {word})" for word in ("u", "u8", "u16", "u2", "u4"))
    if name.endswith("_op"):
        kind = "int" if name in ("xor_op", "or_op", "and_op") else "float"
        return f"{name}<{kind}>()(1, {name}<{kind}>::identity())"
    call = name.replace("precise.", "precise::")
    return f"{call}(x) + {call}(d)"


HEADERS = {
    r"\bu?int(8|16|32|64)_t\b|\buintptr_t\b": "<cstdint>",
    r"\bmemcpy\b": "<cstring>",
    r"\bstd::(min|sort)\b": "<algorithm>",
    r"\bstd::(is_|conditional|make_|void_t|false_type|integral_constant)": "<type_traits>",
    r"\bstd::array\b": "<array>",
    r"\bstd::atomic\b": "<atomic>",
    r"\bstd::chrono\b": "<chrono>",
    r"\bstd::filesystem\b": "<filesystem>",
    r"\bstd::[io]fstream\b": "<fstream>",
    r"\bstd::[io]stringstream\b": "<sstream>",
    r"\bstd::initializer_list\b": "<initializer_list>",
    r"\bstd::numeric_limits\b": "<limits>",
    r"\bstd::mutex\b": "<mutex>",
    r"\bstd::nothrow\b": "<new>",
    r"\bstd::strcmp\b": "<cstring>",
    r"\bstd::(to_)?string\b": "<string>",
    r"\bstd::vector\b": "<vector>",
    r"\b__half\b|__half2float": "<cuda_fp16.h>",
    r"__nv_bfloat16": "<cuda_bf16.h>",
    r"\bCUtensorMap\b|\bcuTensorMap": "<cuda.h>",
    r"\bINFINITY\b|\bNAN\b": "<cmath>",
}


def check_includes(name, section, closure):
    """What the text of a section uses is included by it or by what it needs."""
    parts = []
    closure(name, parts)
    brought = {i for part in parts for i in part[2]}
    text = "\n".join(line.split("//")[0] for line in section[3])
    for pattern, header in HEADERS.items():
        if re.search(pattern, text) and header not in brought:
            sys.exit(f"{name} uses {re.search(pattern, text)[0]} without include {header}")


def print_use(name, function, has_vec):
    """A function that uses a helper."""
    if name in HOST:
        print(f"inline void {function}(float* p, int i) {{ (void)p; (void)i; (void){use_of(name)}; }}")
        return
    map_parameter = ", const __grid_constant__ CUtensorMap map" if re.match(r"tma_prefetch_map|tma_\w+\.\d", name) else ""
    print(f"__global__ void {function}(float* p, double d, uint32_t u, int i, bool b, float x{map_parameter}) {{")
    print("  float partial[5]; (void)partial; (void)p; (void)d; (void)u; (void)i; (void)b; (void)x;")
    if has_vec:
        print("  vec<uint32_t, 2> u2{}; vec<uint32_t, 4> u4{}; uint8_t u8 = 0; uint16_t u16 = 0;")
        print("  (void)u8; (void)u16; (void)u2; (void)u4;")
    print("\n".join(f"  (void)({one});" for one in use_of(name).split(";; ")))
    print("}")


def main():
    found = sections()
    by_name = {}
    for section in found:
        for name in section[0]:
            if name in by_name:
                sys.exit(f"two sections named {name}")
            by_name[name] = section

    def closure(name, out, path=()):
        if name not in by_name:
            sys.exit(f"{path[-1]} needs {name}, which is no helper")
        if name in path:
            sys.exit("a circle of needs: " + " -> ".join(path + (name,)))
        section = by_name[name]
        for need in section[1]:
            closure(need, out, path + (name,))
        if section not in out:
            out.append(section)

    if "--include" in sys.argv:
        print('#include "tile2cu/device.cuh"\n#include "tile2cu/device/tune.cuh"\nnamespace tile2cu {')
        for number, name in enumerate(by_name):
            print_use(name, f"use_{number}", has_vec=True)
        print("}")
    else:
        includes = {"<cstdint>", "<type_traits>", "<cuda_fp16.h>", "<cuda_bf16.h>"} | {i for s in found for i in s[2]}
        print("\n".join(f"#include {i}" for i in sorted(includes)))
        for name in by_name:
            parts = []
            for root in [name] + DEFAULTS.get(name, []):
                closure(root, parts)
            print(f"\nnamespace alone_{name.replace('.', '_')} {{ namespace tile2cu {{ inline namespace v1 {{")
            for part in parts:
                print("\n".join(part[3]))
            print("}")
            print_use(name, "use", by_name["vec"] in parts)
            print("} }")
    for name, section in by_name.items():
        check_includes(name, section, closure)
    unused = set(USES) - set(by_name)
    if unused:
        sys.exit(f"no such helpers: {unused}")


main()
