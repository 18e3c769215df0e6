"""What attacks share: real processes on the loopback with a scratch state folder, requests, figures."""

import json
import os
import pathlib
import re
import resource
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

# A start on a busy machine, which may have to be built first, and any answer.
START_SECONDS = 300
ANSWER_SECONDS = 30


class Stopped(Exception):
    """The attack cannot go on, because what is attacked is gone or does not answer."""


class Process:
    """A program of ours in a session of its own, its output in files."""

    def __init__(self, lab, words, environment, name):
        self.name = name
        self.output = lab.folder / f"{name}.out"
        with open(self.output, "wb") as out:
            self.child = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                env=environment, cwd=lab.folder, start_new_session=True)

    @property
    def pid(self):
        return self.child.pid

    def text(self):
        return self.output.read_text(errors="replace")

    def await_line(self, pattern, seconds=START_SECONDS):
        """The first match of a pattern in what the process prints."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            found = re.search(pattern, self.text())
            if found:
                return found
            if not self.alive():
                break
            time.sleep(0.05)
        raise Stopped(f"{self.name} printed no line like {pattern!r}: {self.text()[-500:]!r}")

    def alive(self):
        return self.child.poll() is None

    def rss(self):
        """Bytes of memory in use, 0 when the process is gone."""
        return self._status("VmRSS")

    def peak(self):
        """The most bytes of memory that were ever in use."""
        return self._status("VmHWM")

    def _status(self, field):
        try:
            text = pathlib.Path(f"/proc/{self.pid}/status").read_text()
        except OSError:
            return 0
        found = re.search(rf"{field}:\s+(\d+) kB", text)
        return int(found.group(1)) * 1024 if found else 0

    def signal(self, number):
        if self.alive():
            self.child.send_signal(number)

    def wait(self, seconds=ANSWER_SECONDS):
        """The exit code, negative for a signal; None when it did not end."""
        try:
            return self.child.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def end(self):
        if self.alive():
            try:
                os.killpg(self.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.child.wait()


class Answer:
    def __init__(self, status, body, headers, seconds):
        self.status, self.body, self.headers, self.seconds = status, body, headers, seconds

    def json(self):
        return json.loads(self.body)


class Server(Process):
    """A control plane on a free port of the loopback."""

    def __init__(self, lab, more, name):
        self.state = lab.folder / f"{name}-state" / "control"
        self.state.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.state.parent.chmod(0o700)
        words = [lab.holdfast, "serve", "--listen", "127.0.0.1:0", "--state", self.state, *more]
        super().__init__(lab, list(map(str, words)), lab.environment, name)
        lab.processes.append(self)  # before it is waited for, so that it ends with the lab in any case
        self.port = int(self.await_line(r"control plane on https?://127\.0\.0\.1:(\d+)").group(1))
        self.admin = (self.state / "admin.token").read_text().strip()

    def ask(self, method, path, body=None, token=None, seconds=ANSWER_SECONDS):
        """An answer, whatever its status; status 0 when there was none in time."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, method=method)
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        begun = time.monotonic()
        try:
            with urllib.request.urlopen(request, timeout=seconds) as answer:
                return Answer(answer.status, answer.read(), answer.headers, time.monotonic() - begun)
        except urllib.error.HTTPError as refused:
            return Answer(refused.code, refused.read(), refused.headers, time.monotonic() - begun)
        except (OSError, urllib.error.URLError) as failed:
            return Answer(0, str(failed).encode(), {}, time.monotonic() - begun)

    def get(self, path, token=None, seconds=ANSWER_SECONDS):
        return self.ask("GET", path, None, token, seconds)

    def post(self, path, body, token=None, seconds=ANSWER_SECONDS):
        return self.ask("POST", path, body, token, seconds)

    def agent_token(self, node):
        """A token under which that node reports."""
        answer = self.post(
            "/api/v1/tokens", {"name": f"{node}-agent", "role": "agent", "source": f"node/{node}"}, self.admin)
        if answer.status != 200:
            raise Stopped(f"no token for {node}: {answer.status} {answer.body[:200]!r}")
        return answer.json()["token"]

    def report(self, token, *reports):
        """Sends reports (objects) as JSON lines."""
        return self.post("/api/v1/reports", b"".join(json.dumps(it).encode() + b"\n" for it in reports), token)


class Store(Process):
    """A rendezvous store on a free port of the loopback."""

    def __init__(self, lab, more, name):
        self.socket = lab.folder / f"{name}.sock"
        words = [lab.holdfast, "store", "--port", "0", "--address", "127.0.0.1", "--socket", self.socket, *more]
        super().__init__(lab, list(map(str, words)), lab.environment, name)
        lab.processes.append(self)
        self.port = int(self.await_line(r"serving on \S+ port (\d+)").group(1))

    def ask(self, request, seconds=ANSWER_SECONDS):
        """An answer of its management socket."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(seconds)
            connection.connect(str(self.socket))
            connection.sendall(json.dumps({"request": request}).encode() + b"\n")
            answer = b""
            while not answer.endswith(b"\n"):
                more = connection.recv(1 << 20)
                if not more:
                    raise OSError("it closed the connection")
                answer += more
            return json.loads(answer)

    def dropped(self, reason):
        """How many connections it has ended for that reason."""
        rows = re.findall(rf'dropped_total{{.*reason="{reason}"}} (\d+)', self.ask("metrics")["text"])
        return sum(map(int, rows))


class Client:
    """A client of the store, as those of PyTorch 2.5 and later."""

    SET, GET, COUNT, LIST = 1, 3, 7, 17

    def __init__(self, port, seconds=ANSWER_SECONDS, window=0, greet=True):
        self.connection = socket.socket()
        if window:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
        self.connection.settimeout(seconds)
        self.connection.connect(("127.0.0.1", port))
        if greet:
            self.send(bytes.fromhex("00cef7853c0d90010000"))
            self.take(4)

    @staticmethod
    def request(code, *fields):
        return bytes([code]) + b"".join(len(it).to_bytes(8, "little") + it for it in fields)

    def send(self, data):
        self.connection.sendall(data)
        return self

    def take(self, count):
        parts = []
        while count:
            part = self.connection.recv(min(count, 1 << 20))
            if not part:
                raise OSError("it closed the connection")
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def number(self):
        return int.from_bytes(self.take(8), "little")

    def get(self, key):
        self.send(self.request(self.GET, key))
        return self.take(self.number())

    def put(self, key, value):
        """Sets a key, and waits until that is done."""
        self.send(self.request(self.SET, key, value) + bytes([self.COUNT]))
        self.number()

    def open(self):
        """Whether the store has not closed it."""
        self.connection.setblocking(False)
        try:
            while self.connection.recv(1 << 16):
                pass
            return False
        except BlockingIOError:
            return True
        except OSError:
            return False

    def close(self):
        self.connection.close()


class Lab:
    def __init__(self, holdfast, few, seed, keep):
        self.holdfast, self.few, self.seed, self.keep = holdfast, few, seed, keep
        self.held = True
        self.processes = []
        self.connections = []
        # Thousands of connections need as many file descriptors, here and in what is attacked.
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="holdfast-attack-"))
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith(("HOLDFAST_", "SLURM_"))}
        self.environment["HOLDFAST_STATE_DIR"] = str(self.folder / "state")
        return self

    def __exit__(self, *_):
        self.release()
        for process in self.processes:
            process.end()
        if self.keep:
            print(f"  kept: {self.folder}")
        else:
            shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, *words, name=None, environment=None):
        """Starts `holdfast WORDS`."""
        process = Process(
            self, [str(self.holdfast), *map(str, words)], {**self.environment, **(environment or {})},
            name or f"{words[0]}-{len(self.processes)}")
        self.processes.append(process)
        return process

    def serve(self, *more, name=None):
        """Starts a control plane and waits until it serves."""
        return Server(self, more, name or f"serve-{len(self.processes)}")

    def store(self, *more, name=None):
        """Starts a rendezvous store and waits until it serves."""
        return Store(self, more, name or f"store-{len(self.processes)}")

    def connect(self, port, send=b"", seconds=ANSWER_SECONDS):
        """A plain connection to a port of the loopback, with these bytes sent."""
        connection = socket.create_connection(("127.0.0.1", port), seconds)
        if send:
            connection.sendall(send)
        return connection

    def hold(self, connection):
        """Keeps a connection open until release() or the end."""
        self.connections.append(connection)

    def release(self):
        for connection in self.connections:
            connection.close()
        self.connections.clear()

    def number(self, many, few):
        """How many: the first by hand, the second in CI."""
        return few if self.few else many

    def figure(self, what, value, unit=""):
        shown = f"{value:.2f}" if isinstance(value, float) else value
        print(f"  {what}: {shown} {unit}".rstrip(), flush=True)

    def require(self, held, promise):
        """A promise, and whether it held."""
        self.held = self.held and bool(held)
        print(f"  {'held  ' if held else 'BROKEN'}  {promise}", flush=True)
