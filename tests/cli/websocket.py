"""websocket.py WHAT ...: the other side of pb-mapgen's WebSockets.

    rosbridge FILE   a rosbridge server, whose port goes to FILE; what it is
                     told, a line each
    robot FILE HOW   the same of a robot that tells the messages of standard
                     input, see HOW below
"""
import base64
import hashlib
import json
import os
import socket
import struct
import sys


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
            long = (mask * (n // 4 + 1))[:n]
            b = (int.from_bytes(b, "big") ^
                 int.from_bytes(long, "big")).to_bytes(n, "big")
        if a & 15 == 8:
            raise EOFError
        if a & 15 == 9:
            tell(s, b, 10)
            continue
        op, all_ = op or a & 15, all_ + b
        if a & 128:
            return op, all_


def listen(path):
    server = socket.create_server(("127.0.0.1", 0))
    with open(path + ".new", "w", encoding="ascii") as f:
        f.write(str(server.getsockname()[1]))
    os.rename(path + ".new", path)
    return server


def greet(server):
    s, _ = server.accept()
    s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    key = [line.split(": ")[1] for line in head(s).split("\r\n")
           if line.lower().startswith("sec-websocket-key")][0]
    digest = hashlib.sha1(
        (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
    s.sendall((
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Accept: " +
        base64.b64encode(digest).decode() + "\r\n\r\n").encode())
    return s


def tell(s, b, op=1):
    b = b if isinstance(b, bytes) else b.encode()
    n = len(b)
    s.sendall((bytes([128 | op, n]) if n < 126 else
               struct.pack(">BBH", 128 | op, 126, n) if n < 65536 else
               struct.pack(">BBQ", 128 | op, 127, n)) + b)


def rosbridge(path):
    s = greet(listen(path))
    tell(s, '{"op":"status","level":"error","msg":"what is that?"}')
    try:
        while True:
            op, b = frame(s)
            if op == 1:
                print(b.decode())
    except (EOFError, ConnectionResetError):
        pass


def fragments(line, size=100):
    parts = [line[i:i + size] for i in range(0, len(line), size)]
    return [json.dumps({"op": "fragment", "id": "1", "data": p, "num": i,
                        "total": (len(line) - 1) / size + 1})
            for i, p in enumerate(parts)]


def asked(s):
    """Topics that the client has subscribed to; it asks for them first."""
    op, b = frame(s)
    m = json.loads(b)
    assert m["op"] == "call_service" and m["service"] == "/rosapi/topics", m
    if os.environ.get("ROSAPI"):
        names = os.environ["ROSAPI"].split()
        tell(s, json.dumps({
            "op": "service_response", "service": m["service"], "result": True,
            "values": {"topics": names[::2], "types": names[1::2]}}))
    topics = []
    while True:
        try:
            s.settimeout(0.5 if topics else 5)
            op, b = frame(s)
        except TimeoutError:
            s.settimeout(20)
            return topics
        if op == 1:
            m = json.loads(b)
            assert m["op"] == "subscribe", m
            topics.append(m["topic"])


def robot(path, how):
    """HOW: json, fragments: as those; twice: the connection is lost in
    the middle; others: what no server sends."""
    lines = [line.strip() for line in sys.stdin]
    server = listen(path)
    s = greet(server)
    topics = asked(s)
    print(*topics)
    half = len(lines) // 2
    first = fragments(lines[0]) if lines else []
    try:
        for i, line in enumerate(lines):
            if how == "twice" and i == half:
                s.close()
                s = greet(server)
                asked(s)
            if how == "fragments":
                for part in fragments(line):
                    tell(s, part)
            elif how in ("json", "twice"):
                tell(s, line)
        while how == "flood":
            for line in lines:
                tell(s, line)
        if how == "topics":
            n = 300000
            tell(s, json.dumps({"op": "service_response", "values": {
                "topics": [f"/t{i}" for i in range(n)],
                "types": ["tf2_msgs/TFMessage"] * n}}))
        if how == "garbage":
            tell(s, "# what is that?")
        elif how == "binary":
            tell(s, b"\xa1", 2)
        elif how == "half":
            tell(s, lines[0][:-5])
        elif how == "longer":
            s.sendall(b"\x82\xff" + b"\x7f" * 200)
        elif how == "long":
            for i in range(1 << 30):
                s.sendall(bytes([i == 0, 127]) + struct.pack(">Q", 1 << 20) +
                          b"x" * (1 << 20))
        elif how == "order":
            tell(s, first[0])
            tell(s, first[2])
        elif how == "again":
            tell(s, first[0])
            tell(s, first[1])
            tell(s, first[1])
        elif how == "endless":
            for i in range(1 << 30):
                tell(s, json.dumps({"op": "fragment", "num": i, "id": "1",
                                    "total": 1 << 30, "data": "x" * 999999}))
        elif how == "empty":
            tell(s, '{"op":"fragment","num":0,"total":9,"data":""}')
        elif how == "stall":
            tell(s, first[0])
            s.sendall(b"\x81\x7e\x7f\xff{")
        while True:
            frame(s)
    except (EOFError, ConnectionResetError, BrokenPipeError, TimeoutError):
        pass


if __name__ == "__main__":
    if sys.argv[1] == "rosbridge":
        rosbridge(sys.argv[2])
    else:
        robot(*sys.argv[2:])
