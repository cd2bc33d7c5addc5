#!/usr/bin/env python3
"""Rates, updates and digests, recomputed from docs/definitions.md alone.

Sections 6, 7 and 10, in exact fractions where a float32 rounds. Needs nothing
but Python 3. `updates.py` prints the test vectors kept in updates.json;
`updates.py --check FILE` says whether FILE holds them.
"""

import hashlib
import math
import struct
import sys
from fractions import Fraction

import streams


def round32(exact):
    """A fraction rounded once to float32, to nearest, ties to even."""
    if exact == 0:
        return 0.0
    sign = -1 if exact < 0 else 1
    size = abs(exact)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if size < Fraction(2) ** exponent:
        exponent -= 1
    unit = Fraction(2) ** (max(exponent, -126) - 23)
    # Python's round() on a fraction goes to the even neighbour in a tie.
    return float(sign * round(size / unit) * unit)


def fma(a, b, c):
    return round32(Fraction(a) * Fraction(b) + Fraction(c))


def multiply(a, b):
    return round32(Fraction(a) * Fraction(b))


def add(a, b):
    return round32(Fraction(a) + Fraction(b))


def rate_at(base, schedule, warm_up, updates, t):
    if t < warm_up:
        return base * (t + 1) / warm_up
    if schedule == "constant":
        return base
    return (
        base
        * 0.5
        * (1 + math.cos(math.pi * (t - warm_up) / (updates - warm_up)))
    )


def updated(rule, rate, x, g, state):
    """x and the state of one element after its update."""
    a = streams.float32(rate)
    b = streams.float32(rule["momentum"])
    d = streams.float32(rule["weight_decay"])
    gradient = g if d == 0 else fma(d, x, g)
    if rule["kind"] == "sum":
        sa = streams.float32(rule["s"] * rate)
        y = fma(-a, gradient, x)
        z = fma(-sa, gradient, x)
        return fma(b, add(z, -state), y), z
    if b == 0:
        return fma(-a, gradient, x), state
    v = add(multiply(b, state), gradient)
    if rule["kind"] == "heavy_ball":
        return fma(-a, v, x), v
    direction = fma(b, v, gradient)
    return fma(-a, direction, x), v


def folded(running, statistic):
    kept = multiply(streams.float32(0.9), running)
    return fma(streams.float32(0.1), statistic, kept)


def drawn(key, index, scale):
    """Any float32 below `scale` in size: from a stream of its own."""
    word = streams.philox(key, [index, 0, 0, 0])[0]
    return streams.float32(scale * (word - 2**31) / 2**31)


def update_case(rule, base, warm_up, elements, steps):
    key = [2, 7]
    x = [drawn(key, 1000 + e, 1.0) for e in range(elements)]
    state = list(x) if rule["kind"] == "sum" else [0.0] * elements
    case = {
        "rule": rule,
        "base": base,
        "schedule": "cosine",
        "warm_up": warm_up,
        "updates": steps,
        "start": bits_of(x),
        "steps": [],
    }
    for t in range(steps):
        g = [drawn(key, e + elements * t, 3.0) for e in range(elements)]
        rate = rate_at(base, "cosine", warm_up, steps, t)
        pairs = [updated(rule, rate, *e) for e in zip(x, g, state)]
        x = [p[0] for p in pairs]
        state = [p[1] for p in pairs]
        case["steps"].append(
            {
                "rate": rate,
                "gradient": bits_of(g),
                "weights": bits_of(x),
                "state": bits_of(state),
            }
        )
    return case


def bits_of(values):
    return [streams.float32_bits(v) for v in values]


def digest_line(tensor):
    data = b"".join(struct.pack("<I", b) for b in tensor["bits"])
    shape = "x".join(str(size) for size in tensor["shape"])
    name = tensor["name"]
    return f"{name} float32 {shape} {hashlib.sha256(data).hexdigest()}"


def digest_of(lines):
    text = "".join(line + "\n" for line in lines)
    return hashlib.sha256(text.encode()).hexdigest()


def digest_case(seed):
    tensors = streams.initial_weights(seed, streams.conv_norm_linear())
    lines = [digest_line(tensor) for tensor in tensors]
    one = streams.float32_bits(1.0)
    buffers = [("norm.running_mean", 0), ("norm.running_var", one)]
    lines[4:4] = [
        digest_line({"name": name, "shape": [3], "bits": [bits] * 3})
        for name, bits in buffers
    ]
    return {
        "seed": str(seed),
        "model": "conv_norm_linear",
        "lines": lines,
        "digest": digest_of(lines),
    }


def rule(kind, momentum, weight_decay, s=0.0):
    return {
        "kind": kind,
        "momentum": momentum,
        "weight_decay": weight_decay,
        "s": s,
    }


def vectors():
    rules = [
        rule("heavy_ball", 0.0, 0.0),
        rule("heavy_ball", 0.9, 0.0),
        rule("heavy_ball", 0.9, 5e-4),
        rule("nesterov", 0.9, 5e-4),
        rule("sum", 0.9, 5e-4, 5.0),
        rule("sum", 0.9, 0.0, 2.5),
    ]
    rates = [
        {
            "base": base,
            "schedule": schedule,
            "warm_up": warm_up,
            "updates": updates,
            "t": t,
            "rate": rate_at(base, schedule, warm_up, updates, t),
        }
        for base, schedule, warm_up, updates in [
            (0.05, "constant", 0, 10),
            (0.05, "constant", 3, 10),
            (0.1, "cosine", 0, 1404),
            (0.1, "cosine", 70, 1404),
        ]
        for t in sorted({0, 1, 2, updates // 2, updates - 1})
    ]
    statistics = [(0.0, 1.5), (1.0, 0.3), (-0.7, 0.01), (1e-3, 250.0)]
    return {
        "rates": rates,
        "warm_ups": [
            {"updates": t, "percentage": p, "warm_up": math.floor(t * p / 100)}
            for t, p in [(1404, 5), (10, 5), (3752, 5), (100, 2.5), (7, 100)]
        ],
        "updates": [update_case(r, 0.1, 1, 5, 4) for r in rules],
        "folds": [
            {
                "running": streams.float32_bits(r),
                "statistic": streams.float32_bits(s),
                "folded": streams.float32_bits(
                    folded(streams.float32(r), streams.float32(s))
                ),
            }
            for r, s in statistics
        ],
        "digests": [digest_case(1), digest_case(2**32 + 5)],
    }


if __name__ == "__main__":
    sys.exit(streams.main(sys.argv, vectors))
