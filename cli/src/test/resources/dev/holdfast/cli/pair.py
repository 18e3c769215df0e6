"""Measures traffic between two network namespaces and prints GB/s: the best of three transfers.

usage: pair.py PREFIX FIRST SECOND, where FIRST is n1, n2, ... with the address 10.78.0.1, ...
"""
import subprocess
import sys

PORT = 7777
BYTES = 2_000_000
RECEIVE = f"""
import socket
server = socket.socket()
server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
server.bind(("", {PORT}))
server.listen(1)
server.settimeout(20)
print("ready", flush=True)
peer, _ = server.accept()
peer.settimeout(20)
for _ in range(3):
    left = {BYTES}
    while left:
        part = peer.recv(min(left, 1 << 16))
        if not part:
            raise SystemExit("cut off")
        left -= len(part)
    peer.sendall(b"k")
"""
SEND = f"""
import socket, sys, time
peer = socket.create_connection((sys.argv[1], {PORT}), timeout=5)
peer.settimeout(20)
best = 0
for _ in range(3):
    begin = time.monotonic()
    peer.sendall(bytes({BYTES}))
    if peer.recv(1) != b"k":
        raise SystemExit("cut off")
    best = max(best, {BYTES} / (time.monotonic() - begin) / 1e9)
print(best)
"""


def inside(prefix, host, program, *arguments):
    return ["ip", "netns", "exec", prefix + host, sys.executable, "-c", program, *arguments]


def main(prefix, first, second):
    receiver = subprocess.Popen(inside(prefix, second, RECEIVE), stdout=subprocess.PIPE, text=True)
    try:
        receiver.stdout.readline()
        sender = subprocess.run(
            inside(prefix, first, SEND, "10.78.0." + second[1:]),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60,
        )
        if sender.returncode != 0:
            raise SystemExit(sender.stderr.strip().splitlines()[-1])
        print(sender.stdout.strip())
    finally:
        receiver.kill()
        receiver.wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
