"""websocket.py WHAT ...: the other side of pb-mapgen's WebSockets.

    watch PORT       subscribe to all topics of a Foxglove server; topic and
                     number of messages of each, then those of times
    bother PORT      what no client should do
    rosbridge FILE   a rosbridge server, whose port goes to FILE; what it is
                     told, a line each
"""
import base64
import collections
import hashlib
import json
import os
import socket
import struct
import sys

PROTOCOL = "foxglove.websocket.v1"


def take(s, n):
    b = b""
    while len(b) < n:
        more = s.recv(n - len(b))
        if not more:
            raise EOFError
        b += more
    return b


def head(s):
    b = b""
    while not b.endswith(b"\r\n\r\n"):
        b += take(s, 1)
    return b.decode()


def dial(port, protocol=PROTOCOL):
    s = socket.create_connection(("127.0.0.1", port), timeout=20)
    s.sendall((
        "GET / HTTP/1.1\r\nHost: pb\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
        (f"Sec-WebSocket-Protocol: {protocol}\r\n" if protocol else "") +
        "\r\n").encode())
    return s, head(s)


def frame(s):
    """The next message: its opcode and its bytes."""
    op, all_ = 0, b""
    while True:
        a, n = take(s, 2)
        masked, n = n & 128, n & 127
        if n > 125:
            n = int.from_bytes(take(s, 2 if n == 126 else 8), "big")
        mask = take(s, 4) if masked else b"\0\0\0\0"
        b = take(s, n)
        if masked:
            b = bytes(x ^ mask[i % 4] for i, x in enumerate(b))
        if a & 15 == 8:
            raise EOFError
        op, all_ = op or a & 15, all_ + b
        if a & 128:
            return op, all_


def say(s, text, op=1):
    b = text if isinstance(text, bytes) else text.encode()
    n = len(b)
    size = (bytes([128 | n]) if n < 126 else struct.pack(">BH", 254, n)
            if n < 65536 else struct.pack(">BQ", 255, n))
    s.sendall(bytes([128 | op]) + size + b"\0\0\0\0" + b)


def subscribe(s, channels, first=0):
    say(s, json.dumps({"op": "subscribe", "subscriptions": [
        {"id": first + c["id"], "channelId": c["id"]} for c in channels]}))


def watch(port):
    s, answer = dial(port)
    assert f"Sec-WebSocket-Protocol: {PROTOCOL}".lower() in answer.lower()
    count, topic, times = collections.Counter(), {}, 0
    try:
        while True:
            op, b = frame(s)
            if op == 2 and b[0] == 1:
                number, _ = struct.unpack_from("<IQ", b, 1)
                assert b[13:17] == b"\0\1\0\0"
                count[topic[number]] += 1
            elif op == 2:
                assert b[0] == 2 and len(b) == 9
                times += 1
            else:
                m = json.loads(b)
                if m["op"] == "advertise":
                    for c in m["channels"]:
                        assert c["schemaEncoding"] == "ros2msg" and c["schema"]
                        topic[1000 + c["id"]] = c["topic"]
                    subscribe(s, m["channels"], 1000)
    except (EOFError, ConnectionResetError):
        pass
    for t in sorted(count):
        print(t, count[t])
    print("times", times)


def bother(port):
    every = [{"id": i} for i in range(16)]
    held = []
    for junk in (b"\0" * 5000, b"GET /x HTTP/1.1\r\n\r\n", os.urandom(3000)):
        s = socket.create_connection(("127.0.0.1", port))
        s.sendall(junk)
        held.append(s)
    for protocol in (None, "rosbridge"):
        try:
            s, answer = dial(port, protocol)
            assert " 101 " not in answer.split("\r\n")[0], answer
        except (EOFError, ConnectionResetError):
            pass
    for text in ("{", "[" * 30000, '{"op":"subscribe"}',
                 '{"op":"subscribe","subscriptions":[3,null,{"id":-1,'
                 '"channelId":1},{"id":1,"channelId":99},'
                 '{"id":1e300,"channelId":"x"}]}',
                 '{"op":"unsubscribe","subscriptionIds":[7,"x",null]}',
                 '{"op":5}', b"\xff\xfe", "x" * 70000):
        s, _ = dial(port)
        held.append(s)
        try:
            say(s, text)
            say(s, b"\1" * 100, 2)
        except (BrokenPipeError, ConnectionResetError):
            pass
    s, _ = dial(port)
    s.sendall(b"\x81\xff" + b"\x7f" * 12)
    held.append(s)
    # Who asks for everything and reads nothing.
    s, _ = dial(port)
    for k in range(8):
        subscribe(s, every, 16 * k)
    held.append(s)
    sys.stdin.read()


def rosbridge(path):
    server = socket.create_server(("127.0.0.1", 0))
    with open(path + ".new", "w", encoding="ascii") as f:
        f.write(str(server.getsockname()[1]))
    os.rename(path + ".new", path)
    s, _ = server.accept()
    key = [line.split(": ")[1] for line in head(s).split("\r\n")
           if line.lower().startswith("sec-websocket-key")][0]
    digest = hashlib.sha1(
        (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
    s.sendall((
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Accept: " +
        base64.b64encode(digest).decode() + "\r\n\r\n").encode())
    words = b'{"op":"status","level":"error","msg":"what is that?"}'
    s.sendall(bytes([129, len(words)]) + words)
    try:
        while True:
            print(frame(s)[1].decode())
    except (EOFError, ConnectionResetError):
        pass


if sys.argv[1] == "rosbridge":
    rosbridge(sys.argv[2])
else:
    {"watch": watch, "bother": bother}[sys.argv[1]](int(sys.argv[2]))
