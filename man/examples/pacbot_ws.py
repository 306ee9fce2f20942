#!/usr/bin/env python3
"""Let a program play on the Pacbot server at URL.

pacbot_ws.py ws://HOST:3002 COMMAND ...

COMMAND reads the server's frames, 159 bytes each, and writes commands, a byte
each. The server takes one command a message, so each goes alone.
"""
import asyncio
import sys

import websockets


async def frames(socket, program):
    """From the server to the program, until one of them ends."""
    try:
        async for frame in socket:
            program.stdin.write(frame)
            await program.stdin.drain()
    except (ConnectionError, websockets.ConnectionClosed):
        pass
    program.stdin.close()


async def commands(program, socket):
    """From the program to the server."""
    while byte := await program.stdout.read(1):
        if byte == b"x":  # a place: row and column follow
            byte += await program.stdout.readexactly(2)
        await socket.send(byte)


async def main(url, *command):
    async with websockets.connect(url, max_queue=2) as socket:
        program = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE)
        listening = asyncio.create_task(frames(socket, program))
        try:
            await commands(program, socket)
        except websockets.ConnectionClosed:
            pass
        await listening
        return await program.wait()


if len(sys.argv) < 3:
    sys.exit(__doc__)
sys.exit(asyncio.run(main(*sys.argv[1:])))
