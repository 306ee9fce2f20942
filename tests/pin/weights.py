"""weights.py - write safetensors files with and without errors, for pins."""
import struct

L = '"leaf":{"dtype":"F32","shape":[22],"data_offsets":[0,88]}'
B = '"beam":{"dtype":"F32","shape":[6],"data_offsets":[88,112]}'
BOTH = "{" + L + "," + B + "}"
for i, (head, more, size) in enumerate([
        (BOTH + " ", 0, 112), (BOTH, 0, 116), (BOTH, 0, 100), (BOTH, 9, 112),
        (BOTH, -3, 112), ("{" + L + "}", 0, 88), ("[]", 0, 112), ("{}", 0, 0),
        ("", 0, 112), (BOTH[:-1] + ',"__metadata__":{"a":"b"}}', 0, 112),
        (BOTH[:-1] + ',"x":{"dtype":"F32","shape":[2],"data_offsets":[112,120]'
         "}}", 0, 120), *((BOTH.replace(a, b), 0, 112) for a, b in (
             ("[88", "[84"), ("[88", "[92"), ("112]", "108]"), ("[6]", "[2,3]"),
             ("[6]", "[7]"), ("F32", "F16"), ("beam", "leaf"), ("[22]", "[-1]"),
             ("beam", "beam" * 50), ("beam", "bean"), ("[88", "[88.5")))]):
    head = head.encode()
    with open(f"w{i}", "wb") as f:
        f.write(struct.pack("<Q", len(head) + more) + head + struct.pack(
            "<30f", *(k / 29 - 0.3 for k in range(30)))[:size])
