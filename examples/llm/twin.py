#!/usr/bin/env python3
"""The model of this folder in PyTorch.

  twin.py check RECORD [--data FILE]    computes the steps of `train --record RECORD` again, and compares losses and the
                                        gradients of each tensor; prints the largest relative difference of each
  twin.py time [--layers N ...]         trains under torch.compile with bfloat16 on the GPU; prints tokens per second
"""

import argparse
import math
import pathlib
import struct
import sys
import time

import torch
import torch.nn.functional as F

HERE = pathlib.Path(__file__).resolve().parent
EPSILON = 1e-5


def tensors(layers, channels, length, columns):
    """(name, shape) in the order of the flat buffers; the layers are the first dimension."""
    c, n = channels, layers
    return [
        ("token_table", (columns, c)),
        ("position_table", (length, c)),
        ("qkv_weight", (n, 3 * c, c)),
        ("out_weight", (n, c, c)),
        ("up_weight", (n, 4 * c, c)),
        ("down_weight", (n, c, 4 * c)),
        ("norm1_weight", (n, c)),
        ("norm1_bias", (n, c)),
        ("qkv_bias", (n, 3 * c)),
        ("out_bias", (n, c)),
        ("norm2_weight", (n, c)),
        ("norm2_bias", (n, c)),
        ("up_bias", (n, 4 * c)),
        ("down_bias", (n, c)),
        ("last_norm_weight", (c,)),
        ("last_norm_bias", (c,)),
    ]


MATRICES = 6  # the first ones, which AdamW decays


class Twin(torch.nn.Module):
    def __init__(self, layers, channels, heads, length, vocabulary, columns):
        super().__init__()
        self.layers, self.channels, self.heads, self.vocabulary = layers, channels, heads, vocabulary
        for name, shape in tensors(layers, channels, length, columns):
            if "norm" in name or "bias" in name:
                value = torch.full(shape, float("norm" in name and "weight" in name))
            else:
                value = torch.randn(shape) * 0.02 * (1 if name[:3] not in ("out", "dow") else (2 * layers) ** -0.5)
            setattr(self, name, torch.nn.Parameter(value))

    def named(self):
        return list(self.named_parameters())

    def norm(self, x, weight, bias):
        return F.layer_norm(x, (self.channels,), weight, bias, EPSILON)

    def attention(self, x, i):
        batch, length, c = x.shape
        qkv = F.linear(x, self.qkv_weight[i], self.qkv_bias[i])
        q, k, v = (t.view(batch, length, self.heads, -1).transpose(1, 2) for t in qkv.split(c, dim=2))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return F.linear(y.transpose(1, 2).reshape(batch, length, c), self.out_weight[i], self.out_bias[i])

    def feed_forward(self, x, i):
        x = F.gelu(F.linear(x, self.up_weight[i], self.up_bias[i]), approximate="tanh")
        return F.linear(x, self.down_weight[i], self.down_bias[i])

    def forward(self, tokens, targets):
        x = F.embedding(tokens, self.token_table) + self.position_table[: tokens.shape[1]]
        for i in range(self.layers):
            x = x + self.attention(self.norm(x, self.norm1_weight[i], self.norm1_bias[i]), i)
            x = x + self.feed_forward(self.norm(x, self.norm2_weight[i], self.norm2_bias[i]), i)
        logits = F.linear(self.norm(x, self.last_norm_weight, self.last_norm_bias), self.token_table)
        logits = logits[..., : self.vocabulary].flatten(0, 1) if self.vocabulary < logits.shape[-1] else logits.flatten(0, 1)
        return F.cross_entropy(logits, targets.flatten())

    def optimizer(self, **more):
        parameters = [p for _, p in self.named()]
        groups = [
            {"params": parameters[:MATRICES], "weight_decay": 0.1},
            {"params": parameters[MATRICES:], "weight_decay": 0.0},
        ]
        return torch.optim.AdamW(groups, lr=1e-3, betas=(0.9, 0.95), eps=1e-8, **more)


def largest_of(model):
    """The largest norm of a tensor's gradient."""
    return max(p.grad.norm().item() for p in model.parameters())


def tokens_of(text, step, batch, length):
    """Tokens and targets of a step, as in text.h."""
    windows = (len(text) - 1) // length
    first = step % (windows // batch) * batch
    starts = [i * 7919 % windows * length for i in range(first, first + batch)]
    return (torch.stack([text[s + shift : s + shift + length] for s in starts]) for shift in (0, 1))


def update(optimizer, step, warmup):
    """Step `step`, from 0, of AdamW, at the rate of train.cpp."""
    for group in optimizer.param_groups:
        group["lr"] = 1e-3 * min(1.0, (step + 1) / max(warmup, 1))
    optimizer.step()


def check(options):
    data = options.record.read_bytes()
    layers, channels, heads, length, vocabulary, columns, batch, steps, bytes_of_real = struct.unpack_from("<9i", data)
    numbers = torch.frombuffer(bytearray(data[36:]), dtype=torch.float32)
    tolerance = options.tolerance or (1e-4 if bytes_of_real == 4 else 3e-2)
    torch.set_default_dtype(torch.float64)
    model = Twin(layers, channels, heads, length, vocabulary, columns)
    size = sum(p.numel() for p in model.parameters())
    expected = 4 * (size + steps * (1 + size)) + 36
    if len(data) != expected:
        sys.exit(f"{options.record} has {len(data)} bytes, not {expected}")

    def parts(flat):
        """{name: tensor} of a flat buffer."""
        result, first = {}, 0
        for name, p in model.named():
            result[name] = flat[first : first + p.numel()].view(p.shape).double()
            first += p.numel()
        return result

    with torch.no_grad():
        for name, value in parts(numbers[:size]).items():
            getattr(model, name).copy_(value)
    optimizer = model.optimizer()
    text = torch.tensor(list(options.data.read_bytes()))
    worst, worst_loss = {name: 0.0 for name, _ in model.named()}, 0.0
    for step in range(steps):
        tokens, targets = tokens_of(text, step, batch, length)
        loss = model(tokens, targets)
        optimizer.zero_grad()
        loss.backward()
        got = numbers[size + step * (1 + size) :]
        worst_loss = max(worst_loss, abs(got[0].item() / loss.item() - 1))
        print(f"step {step + 1}: loss {got[0].item():.6f}, of the twin {loss.item():.6f}")
        gradients = parts(got[1 : 1 + size])
        for name, p in model.named():
            # A gradient that is zero, as of queries with one key each, is compared with the largest one.
            size_of = max(p.grad.norm().item(), 1e-4 * largest_of(model))
            difference = (gradients[name] - p.grad).norm().item() / size_of
            worst[name] = max(worst[name], difference if difference == difference else math.inf)
            if options.figures:
                print(f"{p.grad.norm().item():.7g}, ", end="")
        update(optimizer, step, options.warmup)
    print(f"{'loss':18} {worst_loss:.1e}")
    for name, difference in worst.items():
        print(f"{name:18} {difference:.1e}")
    largest = max(worst_loss, *worst.values())
    print(f"largest relative difference {largest:.1e}: at most {tolerance:.0e}: {'OK' if largest <= tolerance else 'WRONG'}")
    return 0 if largest <= tolerance else 1


def measure(options):
    torch.manual_seed(1)
    torch.set_float32_matmul_precision("high")
    columns = math.ceil(options.vocabulary / 64) * 64
    sizes = (options.layers, options.channels, options.heads, options.length, columns, columns)
    model = Twin(*sizes).cuda()
    optimizer = model.optimizer(fused=True)
    compiled = torch.compile(model)
    text = torch.tensor(list(options.data.read_bytes()), device="cuda")

    def step(i):
        tokens, targets = tokens_of(text, i, options.batch, options.length)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = compiled(tokens, targets)
        loss.backward()
        update(optimizer, i, options.warmup)
        optimizer.zero_grad(set_to_none=True)
        return loss

    for i in range(10):
        step(i)
    torch.cuda.synchronize()
    start = time.perf_counter()
    for i in range(options.steps):
        loss = step(10 + i)
    torch.cuda.synchronize()
    seconds = (time.perf_counter() - start) / options.steps
    tokens_per_second = options.batch * options.length / seconds
    memory = torch.cuda.max_memory_reserved() / 2**30
    figures = f"{1e3 * seconds:.2f} ms, {tokens_per_second:.0f} tokens/s, {memory:.2f} GiB"
    print(f"twin, torch {torch.__version__}: loss {loss.item():.4f} in step {10 + options.steps}, {figures}")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("check")
    command.add_argument("record", type=pathlib.Path)
    command.add_argument("--data", type=pathlib.Path, default=HERE / "kjv.txt")
    command.add_argument("--tolerance", type=float, help="of the relative differences; 1e-4 for float, 3e-2 for bfloat16")
    command.add_argument("--figures", action="store_true", help="print the norms of gradients, for main.cpp")
    command = commands.add_parser("time")
    for name, value in dict(layers=12, channels=768, heads=12, length=1024, vocabulary=50257, batch=16, steps=50).items():
        command.add_argument(f"--{name}", type=int, default=value)
    command.add_argument("--data", type=pathlib.Path, default=HERE / "kjv.txt")
    for command in commands.choices.values():
        command.add_argument("--warmup", type=int, default=100, help="as of train")
    options = parser.parse_args()
    return check(options) if options.command == "check" else measure(options)


if __name__ == "__main__":
    sys.exit(main())
