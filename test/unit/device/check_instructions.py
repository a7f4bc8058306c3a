#!/usr/bin/env python3
"""Finds the instruction of each tensor-core helper in what nvcc made of it.

check_instructions.py 80 alone.ptx [alone.sass]: `alone` is what slice_helpers.py writes, compiled for sm_80. In
the function that uses a helper stands its instruction, or a trap where the architecture has none; with the machine
code at hand (cuobjdump -sass) also what ptxas made of it.
"""
import re
import sys

# helper: the first architecture that has it, its instructions in PTX, and in machine code.
EXPECTED = {
    "cp_async": (80, ["cp.async.ca.shared.global [%r1], [%rd1], 4;", "cp.async.ca.shared.global [%r1], [%rd1], 8;",
                      "cp.async.cg.shared.global [%r1], [%rd1], 16;"], "LDGSTS"),
    "cp_async_if": (80, ["cp.async.ca.shared.global [%r1], [%rd1], 4, zero;",
                         "cp.async.ca.shared.global [%r1], [%rd1], 8, zero;",
                         "cp.async.cg.shared.global [%r1], [%rd1], 16, zero;"], "LDGSTS"),
    "cp_async_prefix": (80, ["cp.async.ca.shared.global [%r1], [%rd1], 4, %r1;",
                             "cp.async.ca.shared.global [%r1], [%rd1], 8, %r1;",
                             "cp.async.cg.shared.global [%r1], [%rd1], 16, %r1;"], "LDGSTS.E.BYPASS.128.ZFILL"),
    "cp_async_commit": (80, ["cp.async.commit_group;"], "LDGDEPBAR"),
    "cp_async_wait": (80, ["cp.async.wait_group 2;"], "DEPBAR.LE"),
    "reduce_add_words": (90, ["red.global.add.v2.f32", "red.global.add.v4.f32"], "REDG.E.ADD.F32x"),
    "fast_tanh": (75, ["tanh.approx.f32"], "MUFU.TANH"),
    "to_tf32": (80, ["cvt.rna.tf32.f32"], ""),
    "pack_half": (80, ["cvt.rn.f16x2.f32"], "PACK_AB"),
    "pack_bfloat16": (80, ["cvt.rn.bf16x2.f32"], "PACK_AB"),
}
for count in (1, 2, 4):
    for trans in ("", "_trans"):
        EXPECTED[f"ldmatrix_x{count}{trans}"] = (
            75, [f"ldmatrix.sync.aligned.m8n8.x{count}{trans.replace('_', '.')}.shared.b16"],
            f"LDSM.16.M{'T' if trans else ''}88" + (f".{count}" if count > 1 else ""))
    for trans in ("", "_trans"):
        EXPECTED[f"stmatrix_x{count}{trans}"] = (
            90, [f"stmatrix.sync.aligned.m8n8.x{count}{trans.replace('_', '.')}.shared.b16"], "STSM")
for rank in range(1, 6):
    EXPECTED[f"tma_load_{rank}"] = (90, [f"cp.async.bulk.tensor.{rank}d.shared::cluster.global.tile"], "UTMALDG")
    EXPECTED[f"tma_store_{rank}"] = (90, [f"cp.async.bulk.tensor.{rank}d.global.shared::cta.tile"], "UTMASTG")
for rank in (2, 3):
    EXPECTED[f"tma_load_multicast_{rank}"] = (
        90, [f"cp.async.bulk.tensor.{rank}d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster"],
        "MULTICAST")
EXPECTED |= {
    "mbarrier_init": (90, ["mbarrier.init.shared::cta.b64"], ""),
    "fence_mbarrier_init": (90, ["fence.mbarrier_init.release.cluster;", "fence.proxy.async.shared::cta;"], ""),
    "mbarrier_arrive": (90, ["mbarrier.arrive.shared::cta.b64"], "SYNCS"),
    "mbarrier_arrive_expect_tx": (90, ["mbarrier.arrive.expect_tx.shared::cta.b64"], "SYNCS"),
    "mbarrier_wait": (90, ["mbarrier.try_wait.parity.shared::cta.b64"], "SYNCS"),
    "named_barrier_sync": (75, ["bar.sync %r1, 256;"], "BAR.SYNC"),
    "named_barrier_arrive": (75, ["bar.arrive %r1, 256;"], "BAR.ARV"),
    "warpgroup_reg_alloc": (90, ["setmaxnreg.inc.sync.aligned.u32 232;"], ""),
    "warpgroup_reg_dealloc": (90, ["setmaxnreg.dec.sync.aligned.u32 40;"], ""),
    "fence_proxy_async": (90, ["fence.proxy.async.shared::cta;"], ""),
    "tma_prefetch_map": (90, ["prefetch.tensormap"], ""),
    "cluster_sync": (90, ["barrier.cluster.arrive.relaxed;", "barrier.cluster.wait;"], "UCGABAR_WAIT"),
    "mbarrier_arrive_cluster": (90, ["mapa.shared::cluster.u32", "mbarrier.arrive.shared::cluster.b64"], "SYNCS"),
    "tma_store_commit": (90, ["cp.async.bulk.commit_group;"], ""),
    "tma_store_wait_read": (90, ["cp.async.bulk.wait_group.read 2;"], ""),
    "tma_store_wait": (90, ["cp.async.bulk.wait_group 0;"], ""),
    "wgmma_fence": (90, ["wgmma.fence.sync.aligned;"], ""),
    "wgmma_commit": (90, ["wgmma.commit_group.sync.aligned;"], ""),
    "wgmma_wait": (90, ["wgmma.wait_group.sync.aligned 1;", "wgmma.wait_group.sync.aligned 0;"], ""),
}


def expect_mma(name, arch, kinds, machine):
    shape = name.split("_")[1]
    EXPECTED[name] = (arch, [f"mma.sync.aligned.{shape}.row.col.{kinds} "], machine)


expect_mma("mma_m16n8k16_f16", 80, "f32.f16.f16.f32", "HMMA.16816.F32")
expect_mma("mma_m16n8k8_f16", 75, "f32.f16.f16.f32", "HMMA.1688.F32")
expect_mma("mma_m16n8k16_f16_acc_f16", 80, "f16.f16.f16.f16", "HMMA.16816.F16")
expect_mma("mma_m16n8k8_f16_acc_f16", 75, "f16.f16.f16.f16", "HMMA.1688.F16")
expect_mma("mma_m16n8k16_bf16", 80, "f32.bf16.bf16.f32", "HMMA.16816.F32.BF16")
expect_mma("mma_m16n8k8_bf16", 80, "f32.bf16.bf16.f32", "HMMA.1688.F32.BF16")
expect_mma("mma_m16n8k8_tf32", 80, "f32.tf32.tf32.f32", "HMMA.1688.F32.TF32")
expect_mma("mma_m16n8k4_tf32", 80, "f32.tf32.tf32.f32", "HMMA.1684.F32.TF32")
expect_mma("mma_m8n8k4_f64", 80, "f64.f64.f64.f64", "DMMA")
for a in ("s8", "u8"):
    for b in ("s8", "u8"):
        for k in (16, 32):
            kind = a if a == b else f"{a}_{b}"
            expect_mma(f"mma_m16n8k{k}_{kind}", 80, f"s32.{a}.{b}.s32", f"IMMA.168{k}.{a.upper()}.{b.upper()}")
for a in ("e4m3", "e5m2"):
    for b in ("e4m3", "e5m2"):  # on sm_90 two HMMA
        kind = a if a == b else f"{a}_{b}"
        expect_mma(f"mma_m16n8k32_{kind}", 89, f"f32.{a}.{b}.f32", "MMA.16")


def functions(text, start):
    """{helper: text of the function that uses it}"""
    found = {}
    for part in re.split(start, text)[1:]:
        match = re.match(r"_ZN(\d+)alone_(\w+)", part)
        if match:
            found[match[2][: int(match[1]) - len("alone_")]] = part
    return found


def main():
    arch = int(re.match(r"\d+", sys.argv[1])[0])
    ptx = functions(open(sys.argv[2]).read(), r"\.entry ")
    machine = functions(open(sys.argv[3]).read(), "Function : ") if len(sys.argv) > 3 else None
    bad = 0
    unknown = [name for name in ptx if re.match("mma_|ldmatrix|cp_async|stmatrix|tma_|mbarrier_|wgmma_(?!operand)", name) and name not in EXPECTED]
    for name in unknown:
        print(f"{name}: check_instructions.py does not know it")
    for name, (first_arch, instructions, in_machine) in EXPECTED.items():
        # Registers by kind, whatever their numbers are.
        text = re.sub(r"%(rd?)\d+", r"%\g<1>1", ptx.get(name, ""))
        has = arch >= first_arch
        if has:
            missing = [i for i in instructions if i not in text]
            if machine and in_machine not in machine[name]:
                missing.append(in_machine)
        else:
            falls_back = name.startswith("pack_")
            missing = [] if falls_back or "trap;" in text else ["trap;"]
            missing += [f"no {i}" for i in instructions if i in text]
        if not text:
            missing = ["a use of it"]
        for what in missing:
            print(f"{name} for sm_{sys.argv[1]}: expected {what}")
        bad += len(missing)
    sys.exit(bad + len(unknown) > 0)


main()
