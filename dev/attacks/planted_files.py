"""Somebody else wrote into the state folder, or left links where logs and journals go.

Folders and secrets others could have written are refused with the command that mends them; a token never goes to the
server of a planted note; what links lead to is not touched. Needs root for what belongs to somebody else.
"""

import json
import os
import shutil
import socket
import subprocess
import threading

STRANGER = 12_345


def attack(lab):
    lab.folder.chmod(0o755)  # everybody can come here, as to /var/lib
    serve = ["serve", "--listen", "127.0.0.1:0", "--state"]
    refusals(lab, serve)
    secrets(lab, serve)
    journal(lab)
    note(lab)
    links(lab)
    home(lab)


def refusals(lab, serve):
    spots = {"state": lab.folder / "f1", "above": lab.folder / "f2" / "state"}
    for name, folder in spots.items():
        folder.mkdir(parents=True)
        (folder if name == "state" else folder.parent).chmod(0o777)
        refused(lab, [*serve, folder], "go-w ", f"serve in a folder everybody may write to ({name})")
    for command in (["agent", "--metrics-port", "0", "--state"], ["store", "--port-range", "29900-29910", "--state"]):
        refused(lab, [*command, spots["state"]], "chmod -R go-w ", f"{command[0]} in a folder everybody may write to")
    if os.geteuid() == 0:
        foreign = lab.folder / "f3"
        foreign.mkdir(0o700)
        os.chown(foreign, STRANGER, STRANGER)
        refused(lab, [*serve, foreign], "chown -R ", "serve in a folder of somebody else")


def secrets(lab, serve):
    folder = lab.folder / "s1"
    folder.mkdir(0o755)
    token = folder / "admin.token"
    token.write_text("hf_" + "A" * 43 + "\n")
    token.chmod(0o644)
    refused(lab, [*serve, folder], "chmod 600 ", "an admin.token others can read")
    token.chmod(0o600)
    if os.geteuid() == 0:
        os.chown(token, STRANGER, STRANGER)
        refused(lab, [*serve, folder], "rm ", "an admin.token of somebody else")
        os.chown(token, 0, 0)
    (folder / "tokens.json").write_text("{}")
    (folder / "tokens.json").chmod(0o666)
    refused(lab, [*serve, folder], "chmod go-w ", "tokens.json others can write")


def journal(lab):
    before = os.umask(0o000)
    try:
        server = lab.serve()
    finally:
        os.umask(before)
    files = {it.name: it.stat().st_mode & 0o777 for it in server.state.iterdir() if it.is_file()}
    wide = {name: oct(mode) for name, mode in files.items() if mode & 0o077 and name.startswith(("journal", "admin"))}
    lab.figure("files of a control plane under umask 000", ", ".join(f"{n} {m:04o}" for n, m in sorted(files.items())))
    lab.require(not wide, f"the journal and the token are their owner's alone {wide or ''}".rstrip())


def note(lab):
    """A note that sends the admin token elsewhere."""
    heard = []
    listener = socket.create_server(("127.0.0.1", 0))

    def listen():
        try:
            while True:
                peer, _ = listener.accept()
                peer.settimeout(5)
                heard.append(peer.recv(65536))
                peer.close()
        except OSError:
            pass

    threading.Thread(target=listen, daemon=True).start()
    state = lab.folder / "n1"
    (state / "control").mkdir(parents=True)
    token = state / "control" / "admin.token"
    token.write_text("hf_" + "B" * 43 + "\n")
    token.chmod(0o600)
    planted = state / "control" / "server.json"
    planted.write_text(json.dumps(
        {"schema": "holdfast.server/1", "address": f"http://127.0.0.1:{listener.getsockname()[1]}"}))
    planted.chmod(0o666)
    environment = {**lab.environment, "HOLDFAST_STATE_DIR": str(state)}
    done = ask(lab, ["nodes"], environment)
    lab.require(not heard, "no request goes to the server of a note others could write")
    lab.require(b"chmod go-w" in done.stderr, "the refusal says how to mend it")
    if os.geteuid() == 0:
        planted.chmod(0o600)
        os.chown(planted, STRANGER, STRANGER)
        ask(lab, ["nodes"], environment)
        lab.require(not heard, "no request goes to the server of a note of somebody else")
    listener.close()


def links(lab):
    victim = lab.folder / "victim"
    victim.write_text("precious\n")
    logs = lab.folder / "logs"
    run = ["run", "--nproc-per-node", "1", "--log-dir", logs, "--rdzv-id", "planted", "/bin/sh", "-c", "echo from the rank"]
    first = ask(lab, run)
    planted = [it for it in logs.rglob("*") if it.is_file() and it.parent.name != "store"] if logs.exists() else []
    for file in planted:
        file.unlink()
        file.symlink_to(victim)
    for store in logs.rglob("store"):
        shutil.rmtree(store)  # so that the next run is a first one, whose folder was waiting for it
    second = ask(lab, run)
    lab.figure("files of a run replaced by links", len(planted))
    lab.figure("exit codes before and with links", f"{first.returncode}, {second.returncode}")
    lab.require(planted and victim.read_text() == "precious\n", "logs and reports of a run follow no link")
    lab.require(second.returncode == first.returncode, "the run itself goes on")
    server = lab.serve()
    audit = server.state / "audit.jsonl"
    if audit.exists():
        audit.unlink()
    audit.symlink_to(victim)
    server.post("/api/v1/pause", {"why": "attack"}, server.admin)
    lab.require(victim.read_text() == "precious\n", "the audit follows no link")
    lab.require(server.alive(), "and the control plane goes on")


def home(lab):
    own = lab.folder / "home"
    own.mkdir(0o700)
    environment = {name: value for name, value in lab.environment.items() if not name.startswith(("HOLDFAST_", "XDG_"))}
    environment["HOME"] = str(own)
    (own / ".config" / "holdfast").mkdir(parents=True)
    (own / ".config" / "holdfast" / "holdfast.yaml").write_text("nonsense: true\n")
    done = ask(lab, ["doctor"], environment)
    lab.require(str(own) in done.stderr.decode() + done.stdout.decode(), "$HOME is honoured")


def refused(lab, words, command, what):
    done = ask(lab, words)
    text = done.stderr.decode(errors="replace")
    lab.require(
        done.returncode not in (0, -9) and command in text and "HF-1512" in text,
        f"refused with its command: {what}" + ("" if command in text else f" {text.strip()[-200:]!r}"))


def ask(lab, words, environment=None):
    """Runs a command for 20 s at most: one that serves has then not refused."""
    command = [str(lab.holdfast), *[str(it) for it in words]]
    child = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=environment or lab.environment, cwd=lab.folder, start_new_session=True)
    try:
        out, err = child.communicate(timeout=20)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, 9)
        out, err = child.communicate()
    return subprocess.CompletedProcess(command, child.returncode, out, err)
