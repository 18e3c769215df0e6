"""Strangers begin TLS handshakes by the thousand and leave them.

A few bytes of a greeting each, which cost the server its buffers. Memory must stay bounded and others come in.
"""

import ssl
import subprocess
import time
import urllib.request


def attack(lab):
    server = lab.serve("--tls-cert", *certificate(lab), "--require-token")
    context = ssl._create_unverified_context()
    hello = greeting(context)
    begun = time.monotonic()
    sent, failed, times = 0, 0, []
    while time.monotonic() - begun < lab.number(20, 4):
        for i in range(250):
            try:
                lab.hold(lab.connect(server.port, hello if i % 5 == 0 else hello[:100], 2))
                sent += 1
            except OSError:
                pass  # sent away, as it should be
        while len(lab.connections) > 3_000:
            lab.connections.pop(0).close()
        asked = time.monotonic()
        try:
            with urllib.request.urlopen(f"https://127.0.0.1:{server.port}/readyz", timeout=10, context=context) as it:
                it.read()
            times.append(time.monotonic() - asked)
        except OSError:
            failed += 1
        time.sleep(0.1)
    lab.figure("half handshakes", sent)
    lab.figure("slowest answer to others from the same address", max(times, default=99) * 1000, "ms")
    lab.figure("of the others sent away", f"{failed} of {failed + len(times)}")
    lab.figure("peak memory", server.peak() / 2**20, "MiB")
    lab.require(server.peak() < 600 * 2**20, "half handshakes take little memory")
    lab.require(failed <= max(2, len(times) // 10), "others come in meanwhile")


def certificate(lab):
    certificate, key = lab.folder / "server.crt", lab.folder / "server.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    key.chmod(0o600)
    return certificate, "--tls-key", key


def greeting(context):
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    session = context.wrap_bio(incoming, outgoing)
    try:
        session.do_handshake()
    except ssl.SSLWantReadError:
        pass
    return outgoing.read()
