"""maps.py - write map images of many kinds with their YAML files, for pins."""
import struct
import zlib

W, H = 18, 8
GRAY = [[(x * 15 + y * 37 + (x // 5) * 3) % 256 for x in range(W)]
        for y in range(H)]
ODD = [0, 254, 205, 128, 127, 255, 100, 89, 90, 206, 204, 50, 1]


def png(name, color, depth, rows, *chunks, adam=0):
    bits = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color] * depth
    data = b""
    if adam:  # gray in the seven passes of an interlaced image
        rows = [rows[y][x::dx] for x, y0, dx, dy in (
            (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4),
            (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
                for y in range(y0, H, dy)]
    for row in rows:
        n = int("1" + "".join(f"{v:0{depth}b}" for v in row), 2)
        pad = -len(row) * depth % 8
        data += b"\0" + (n << pad).to_bytes((len(row) * depth + pad) // 8 + 1,
                                            "big")[1:]
    with open(name + ".png", "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n")
        for tag, body in [(b"IHDR", struct.pack(">IIBBBBB", W, H, depth, color,
                                                0, 0, adam)), *chunks,
                          (b"IDAT", zlib.compress(data)), (b"IEND", b"")]:
            f.write(struct.pack(">I", len(body)) + tag + body +
                    struct.pack(">I", zlib.crc32(tag + body)))
    yaml(name, name + ".png")


def yaml(name, image, text=""):
    with open(name + ".yaml", "w", encoding="ascii") as f:
        f.write(f"image: {image}\nresolution: 0.05\norigin: [-1, 2, 0]\n"
                f"negate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n{text}")


def pnm(name, text, data=b"", more="mode: scale\n"):
    with open(name + ".pnm", "wb") as f:
        f.write(text.encode() + bytes(data))
    yaml(name, name + ".pnm", more)


def bmp(name, depth, pixel, palette=b"", down=False):
    rows = [b"".join(map(pixel, r)) for r in (GRAY if down else GRAY[::-1])]
    rows = b"".join(r + b"\0" * (-len(r) % 4) for r in rows)
    at = 54 + len(palette)
    with open(name + ".bmp", "wb") as f:
        f.write(struct.pack("<2sIIIIiiHHIIiiII", b"BM", at + len(rows), 0, at,
                            40, W, -H if down else H, 1, depth, 0, len(rows),
                            0, 0, len(palette) // 4, 0) + palette + rows)
    yaml(name, name + ".bmp")


flat = sum(GRAY, [])
bmp("gray_bmp", 8, lambda v: bytes([v // 2]), b"".join(
    bytes([2 * v, 2 * v, 2 * v, 0]) for v in range(128)), True)
bmp("rgb_bmp", 24, lambda v: bytes([v, 255 - v // 3, v]))
bmp("rgba_bmp", 32, lambda v: bytes([v, v, v, v // 2]))
for d in 1, 2, 4, 8:
    png(f"gray{d}", 0, d, [[v >> (8 - d) for v in r] for r in GRAY])
png("graylaced", 0, 8, GRAY, adam=1)
png("gray16", 0, 16, [[v * 256 + 77 for v in r] for r in GRAY],
    (b"gAMA", struct.pack(">I", 60000)))
png("palette", 3, 4, [[v % 13 for v in r] for r in GRAY],
    (b"PLTE", bytes(c for v in ODD for c in (v, v // 2 + 60, v))),
    (b"tRNS", bytes([255, 0, 90])))
png("rgb", 2, 8, [sum(([v, 255 - v, (v * 7) % 256] for v in r), [])
                  for r in GRAY], (b"tRNS", b"\0\x0f\0\xf0\0\x69"))
png("alpha", 4, 8, [sum(([v, (v * 3) % 256] for v in r), []) for r in GRAY])
png("rgba", 6, 8, [sum(([ODD[v % 13]] * 3 + [255 if v % 4 else 8] for v in r),
                       []) for r in GRAY])
pnm("p2", f"P2 # odd\n{W}\t{H}\n# x\n200\n" +
    " ".join(str(min(v, 200)) for v in flat), more="mode: raw\n")
pnm("p3", f"P3\n{W} {H}\n255\n" + "\n".join(f"{v} {v} {255 - v // 2}"
                                          for v in flat))
pnm("p1", f"P1\n{W} {H}\n" + "".join(str(v % 2) for v in flat))
pnm("p5", f"P5\n{W} {H}\n254\n", [min(v, 254) for v in flat] + [1, 2, 3])
pnm("p5wide", f"P5 {W} {H} 1000\n", b"".join(
    struct.pack(">H", v * 4 % 1001) for v in flat))
for n, text in enumerate(("P2 9 9 255 ", "P5 9 9 255 ", "P5 4 5 256\n",
                          "P5\n9 #",
                          "P2 3 2 9 1 2 3 4 5", "P2 2 2 9 1 2 3 10 ",
                          "P3 2 1 9 1 2 3 4 5", "P5 0 3 255 ", "P2 1 1 0 0",
                          "P5 99999999 9 9 ", "P2 2 1 9 1 x", "P7 1 1 9 1")):
    pnm(f"pz{n}", text, b"1 2 3 4 5 6 7 8" * (n < 3))
pnm("p6", f"P6\n{W} {H}\n255\n", (c for v in flat for c in (v, v, v // 3)))
pnm("jpeg", f"P5\n{W} {H}\n255\n", [205 + v % 7 - 3 if v % 3 else v & 254
                                  for v in flat], "mode: trinary\n")
pnm("gray", f"P5\n{W} {H}\n255\n", [205 if v > 50 else 0 for v in flat], "")
HEAD = "image: gray.pnm\n"
for i, text in enumerate((
        "resolution: 0.033\norigin: [1, 2, 0.5]\nnegate: 0\n"
        "occupied_thresh: 0.5\nfree_thresh: 0.25\n",
        "resolution: 0.117\norigin: [1.5, 2, 3.2]\nnegate: 1\n"
        "occupied_thresh: 0.65\nfree_thresh: 0.2\nmode: scale\nextra: 5\n",
        "resolution: 5.0\norigin: [0, 0]\nnegate: 0\noccupied_thresh: 0.65\n"
        "free_thresh: 0.196\n",
        "resolution: 0.05\norigin: [0, 0, 0]\n",
        "resolution: 0.05\norigin: [0, 0, 0]\nnegate: yes\n"
        "occupied_thresh: 0.1\nfree_thresh: 0.9\n",
        "resolution: 1e-3\norigin: [1e9, 0, -7]\nnegate: 0\n"
        "occupied_thresh: 1.5\nfree_thresh: -1\nmode: odd\n")):
    with open(f"y{i}.yaml", "w", encoding="ascii") as f:
        f.write(HEAD + text)
