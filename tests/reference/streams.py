#!/usr/bin/env python3
"""Random streams of a run, recomputed from docs/definitions.md alone.

Needs nothing but Python 3. `streams.py` prints the test vectors kept in
streams.json; `streams.py --check FILE` says whether FILE holds them.
"""

import json
import math
import struct
import sys

WORD = 2**32

INITIAL_WEIGHTS = 1
DATA_ORDER = 2
AUGMENTATION = 3


def philox(key, counter):
    """Philox4x32-10: four words from two key and four counter words."""
    k0, k1 = key
    c0, c1, c2, c3 = counter
    for _ in range(10):
        p0 = 0xD2511F53 * c0
        p1 = 0xCD9E8D57 * c2
        c0, c1, c2, c3 = (
            (p1 // WORD) ^ c1 ^ k0,
            p1 % WORD,
            (p0 // WORD) ^ c3 ^ k1,
            p0 % WORD,
        )
        k0 = (k0 + 0x9E3779B9) % WORD
        k1 = (k1 + 0xBB67AE85) % WORD
    return [c0, c1, c2, c3]


def stream_key(seed, purpose):
    return philox([seed % WORD, seed // WORD], [purpose, 0, 0, 0])[:2]


def below(word, n):
    return (word * n) // WORD


def float32_bits(value):
    """The bits of a float64 rounded to float32 (to nearest, ties to even)."""
    return struct.unpack("<I", struct.pack("<f", value))[0]


def float32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def initial_word(key, q):
    """The random word of element q of the numbering through the model."""
    block = q // 4
    return philox(key, [block % WORD, block // WORD, 0, 0])[q % 4]


def uniform(word, fan_in):
    bound = 1.0 / math.sqrt(float(fan_in))
    u = word // 2**8 - 2**23
    return bound * u * 2.0**-23


def initial_weights(seed, tensors):
    """tensors: (name, shape, fan_in), or (name, shape, constant as a str)."""
    key = stream_key(seed, INITIAL_WEIGHTS)
    result = []
    q = 0
    for name, shape, rule in tensors:
        count = math.prod(shape)
        if isinstance(rule, str):
            values = [float(rule)] * count
        else:
            values = [
                uniform(initial_word(key, q + j), rule) for j in range(count)
            ]
        result.append(
            {
                "name": name,
                "shape": shape,
                "first_element": q,
                "bits": [float32_bits(v) for v in values],
                "values": [float32(v) for v in values],
            }
        )
        q += count
    return result


def data_order(seed, n, epoch):
    key = stream_key(seed, DATA_ORDER)

    def place(sample):
        w = philox(key, [sample % WORD, sample // WORD, epoch, 0])
        return (w[0] + WORD * w[1], sample)

    return sorted(range(n), key=place)


def augmentation_words(seed, sample, epoch, place):
    key = stream_key(seed, AUGMENTATION)
    return philox(key, [sample % WORD, sample // WORD, epoch, place])


def random_crop_shift(seed, sample, epoch, place, padding):
    w = augmentation_words(seed, sample, epoch, place)
    return below(w[0], 2 * padding + 1), below(w[1], 2 * padding + 1)


def is_flipped(seed, sample, epoch, place):
    return augmentation_words(seed, sample, epoch, place)[0] >= 2**31


def random_crop(image, dy, dx, padding):
    """image: rows of bytes, one channel."""
    height, width = len(image), len(image[0])

    def pixel(y, x):
        inside = 0 <= y < height and 0 <= x < width
        return image[y][x] if inside else 0

    return [
        [pixel(y + dy - padding, x + dx - padding) for x in range(width)]
        for y in range(height)
    ]


def normalised(byte, mean, std):
    return float32_bits((byte / 255.0 - mean) / std)


def augmented(seed, sample, epoch, padding, image):
    """[{random_crop: {padding}}, horizontal_flip] on one channel."""
    dy, dx = random_crop_shift(seed, sample, epoch, 0, padding)
    flip = is_flipped(seed, sample, epoch, 1)
    result = random_crop(image, dy, dx, padding)
    if flip:
        result = [list(reversed(row)) for row in result]
    return {
        "sample": sample,
        "epoch": epoch,
        "dy": dy,
        "dx": dx,
        "flip": flip,
        "pixels": [byte for row in result for byte in row],
    }


def conv_then_linear():
    # conv 1 -> 2, 3x3, no bias; the linear layer's weight starts inside a
    # block.
    return [
        ("conv.weight", [2, 1, 3, 3], 9),
        ("linear.weight", [3, 4], 4),
        ("linear.bias", [3], 4),
    ]


def conv_norm_linear():
    # conv with bias; the normalisation's elements are counted, not drawn.
    return [
        ("conv.weight", [3, 2, 3, 3], 18),
        ("conv.bias", [3], 18),
        ("norm.weight", [3], "1"),
        ("norm.bias", [3], "0"),
        ("linear.weight", [2, 3], 3),
        ("linear.bias", [2], 3),
    ]


def vectors():
    seeds = [0, 1, 42, 2**32 + 5, 2**64 - 1]
    philox_inputs = [
        ([0, 0], [0, 0, 0, 0]),
        ([WORD - 1] * 2, [WORD - 1] * 4),
        (
            [0xA4093822, 0x299F31D0],
            [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344],
        ),
        ([1, 0], [1, 0, 0, 0]),
        ([5, 1], [7, 1, 3, 2]),
    ]
    image = [[10 * y + x + 1 for x in range(5)] for y in range(4)]
    return {
        "philox": [
            {"key": k, "counter": c, "words": philox(k, c)}
            for k, c in philox_inputs
        ],
        "stream_keys": [
            {"seed": str(s), "purpose": p, "key": stream_key(s, p)}
            for s in seeds
            for p in range(1, 6)
        ],
        "below": [
            {"word": w, "n": n, "value": below(w, n)}
            for w, n in [
                (0, 9),
                (WORD - 1, 9),
                (2**31, 9),
                (477218588, 9),
                (477218589, 9),
                (WORD - 1, 2**31 - 1),
                (12345, 1),
            ]
        ],
        "initial_weights": [
            {"seed": str(s), "model": m, "tensors": initial_weights(s, t)}
            for s in [1, 2**32 + 5]
            for m, t in [
                ("conv_then_linear", conv_then_linear()),
                ("conv_norm_linear", conv_norm_linear()),
            ]
        ],
        "data_order": [
            {
                "seed": str(s),
                "samples": n,
                "epoch": e,
                "first": data_order(s, n, e)[:20],
            }
            for s in [1, 2**32 + 5]
            for n, e in [(50, 0), (50, 3), (7, 1)]
        ],
        "augmentation": [
            {
                "seed": str(s),
                "sample": i,
                "epoch": e,
                "place": p,
                "words": augmentation_words(s, i, e, p),
                "crop_padding_4": list(random_crop_shift(s, i, e, p, 4)),
                "flip": is_flipped(s, i, e, p),
            }
            for s in [1, 2**32 + 5]
            for i, e, p in [
                (0, 0, 0),
                (0, 0, 1),
                (1, 0, 0),
                (1, 0, 1),
                (49, 3, 0),
                (49, 3, 1),
                (59999, 11, 0),
            ]
        ],
        "augmented_image": {
            "seed": "1",
            "padding": 2,
            "height": 4,
            "width": 5,
            "pixels": [byte for row in image for byte in row],
            "results": [
                augmented(1, i, e, 2, image)
                for i, e in [(0, 0), (1, 0), (2, 0), (3, 0), (3, 1), (4, 7)]
            ],
        },
        "normalised": [
            {"byte": b, "mean": m, "std": s, "bits": normalised(b, m, s)}
            for m, s in [(0.286, 0.353), (0.4914, 0.247), (0.0, 1.0)]
            for b in [0, 1, 127, 128, 255]
        ],
    }


def dump(value, indent=0):
    """JSON with flat lists and flat objects kept on one line."""
    pad = " " * indent
    line = json.dumps(value)
    if len(line) + indent <= 100 or not isinstance(value, (list, dict)):
        return line
    if isinstance(value, dict):
        items = [
            f"{pad} {json.dumps(k)}: {dump(v, indent + 1)}"
            for k, v in value.items()
        ]
        return "{\n" + ",\n".join(items) + f"\n{pad}}}"
    if all(not isinstance(v, (list, dict)) for v in value):
        return line
    items = [f"{pad} {dump(v, indent + 1)}" for v in value]
    return "[\n" + ",\n".join(items) + f"\n{pad}]"


def main(arguments, make_vectors):
    """Prints the vectors, or checks the file named after --check."""
    text = dump(make_vectors()) + "\n"
    if arguments[1:2] != ["--check"]:
        sys.stdout.write(text)
        return 0
    with open(arguments[2], encoding="utf-8") as file:
        if file.read() == text:
            return 0
    print(f"{arguments[2]} differs from what {arguments[0]} prints")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv, vectors))
