"""What `holdfast run --warm` needs inside Python: learning what a program imports, and waiting with it imported.

A rank that learns writes down each module as it is imported. A standby is started like a rank, by the same command, but
without the variables that make it one; it imports what was learned, then waits here, before the program's first line.
When a rank is needed it gets those variables and goes on as if it had just been started. If none ever is, it ends when
its launcher does.

    HOLDFAST_LEARN      where a rank writes what it imports
    HOLDFAST_STANDBY    JSON: modules (that file), names (the variables it must not have seen), leave (modules not to
                        import). It reads from descriptor 3 and answers on 4.

A standby must be as good as a new process. So it imports only what came from the standard library or from folders of
installed packages, in the order it was learned, and ends itself when a module does what would be different in a rank:
looks at the variables that are missing, opens a device or a socket, leaves a process behind, needs the program's own
modules. Who that was is told, and the next standby does without it.
"""

import importlib
import os
import sys
from importlib.machinery import PathFinder

# Nothing else here: a rank that learns must not find more imported than it would without it.

LEARN = "HOLDFAST_LEARN"
STANDBY = "HOLDFAST_STANDBY"
ORDERS = 3
ANSWERS = 4
MOST_BYTES = 4 << 20
MOST_MESSAGE = 16 << 20
INSTALLED = ("site-packages", "dist-packages")
DEVICES = ("/dev/nvidia", "/dev/kfd", "/dev/dri/", "/dev/davinci", "/dev/hisi_hdc", "/dev/devmm_svm", "/dev/accel",
           "/dev/infiniband/")  # fmt: skip
# Asks for all variables to start a program that prints a list of libraries, and forgets them.
COPIES_IN_PASSING = ("ctypes.util",)
NICE = 10


def learn():
    """Begins to note what is imported, in the process the launcher started and in no other."""
    path = os.environ.pop(LEARN)
    if str(os.getppid()) != os.environ.get("HOLDFAST_HELD_BY", "").split("-")[0]:
        return
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOCTTY, 0o644)
    if PathFinder in sys.meta_path:
        sys.meta_path.insert(sys.meta_path.index(PathFinder), _Learner(file))


class _Learner:
    """Finds what the standard finder finds, and writes it down once the import has begun: to look for a module is not
    to import it. One that could not be imported is taken back with a '!'."""

    def __init__(self, file):
        self._file = file
        self._found = []
        self._begun = []
        self._room = MOST_BYTES

    def find_spec(self, name, path=None, target=None):
        if self._room > 0:
            try:
                self._settle()
            except Exception:
                self._room = 0
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and self._room > 0:
            self._found.append((name, spec.origin or ""))
        return spec

    def _settle(self):
        found, self._found = self._found, []
        for name, origin in found:
            if name in sys.modules:
                self._write("%s\t%s\n" % (name, origin))
                self._begun.append(name)
        begun, self._begun = self._begun, []
        for name in begun:
            module = sys.modules.get(name)
            if module is None:
                self._write("!%s\n" % name)
            elif getattr(getattr(module, "__spec__", None), "_initializing", False):
                self._begun.append(name)

    def _write(self, line):
        data = line.encode("utf-8", "surrogateescape")
        self._room -= len(data)
        if self._room > 0 and os.write(self._file, data) != len(data):
            self._room = 0


def learned(path):
    """Names and origins in the order of their import."""
    with open(path, "rb") as file:
        lines = file.read(MOST_BYTES).decode("utf-8", "surrogateescape").split("\n")[:-1]
    modules = {}
    for line in lines:
        name, _, origin = line.partition("\t")
        modules.pop(name.lstrip("!"), None)
        if not name.startswith("!"):
            modules[name] = origin
    return modules


def of_the_program(modules):
    """Those whose file belongs neither to the standard library nor to an installed package."""
    import sysconfig

    library = tuple(sysconfig.get_paths()[kind] + os.sep for kind in ("stdlib", "platstdlib"))
    return frozenset(
        name
        for name, origin in modules.items()
        if origin and not origin.startswith(library) and not any(part in INSTALLED for part in origin.split(os.sep))
    )


def hold():
    """Imports, waits, and returns in the life of a rank; or never."""
    try:
        import json

        os.set_inheritable(ORDERS, False)
        os.set_inheritable(ANSWERS, False)
        _Standby(json.loads(os.environ.pop(STANDBY))).hold()
    except BaseException as problem:
        _end("", "cannot wait: %s: %s" % (type(problem).__name__, problem))


def _answer(*words):
    line = "\t".join(" ".join(word.split()) for word in words)[:2000] + "\n"
    os.write(ANSWERS, line.encode("utf-8", "replace"))


def _end(module, why):
    """At once, in whatever is being imported: nothing of it may happen twice."""
    try:
        _answer("unfit", module, why)
    finally:
        os._exit(0)


class _Standby:
    def __init__(self, settings):
        self.names = frozenset(settings["names"])
        self.leave = frozenset(settings["leave"])
        self.modules = learned(settings["modules"])
        self.own = of_the_program(self.modules)
        self.importing = ""
        self.listed = False
        self.taken = set()
        self.variables = (os.environ, os.environb)
        self.kinds = [type(one) for one in self.variables]

    def hold(self):
        import json

        undo = [_first_to_die(), _politely()]
        self._import_all()
        _answer("ready", str(len(self.modules)))
        given = json.loads(self._next_line())
        unexpected = set(given) - self.names
        if unexpected:
            _end("", "was to get variables it might have missed: %s" % ", ".join(sorted(unexpected)))
        for step in undo:
            step()
        for name, value in given.items():
            os.environb[name.encode("latin-1")] = value.encode("latin-1")
        _answer("set")
        if self._next_line() != "go":
            os._exit(0)
        os.close(ORDERS)
        os.close(ANSWERS)

    def _next_line(self):
        """The next line of the launcher; ends when it is gone."""
        text = b""
        while not text.endswith(b"\n"):
            chunk = os.read(ORDERS, 1 << 16)
            if not chunk or len(text) > MOST_MESSAGE:
                os._exit(0)
            text += chunk
        return text.decode("utf-8").rstrip("\n")

    def _import_all(self):
        main = sys.modules["__main__"]
        # Some modules ask this to know whether a person sits in front of them.
        pretends = not hasattr(main, "__file__") and os.path.isfile(sys.argv[0])
        if pretends:
            main.__file__ = sys.argv[0]
        sys.meta_path.insert(0, self)
        for one, kind in zip(self.variables, self.kinds):
            one.__class__ = _watched(kind, self)
        try:
            for name, origin in self.modules.items():
                if origin and name not in sys.modules and name not in self.own and not self._left_out(name):
                    self._import(name)
            self._compare()
        finally:
            for one, kind in zip(self.variables, self.kinds):
                one.__class__ = kind
            sys.meta_path.remove(self)
            if pretends and getattr(main, "__file__", None) == sys.argv[0]:
                del main.__file__

    def _left_out(self, name):
        while name:
            if name in self.leave:
                return True
            name = name.rpartition(".")[0]
        return False

    def _import(self, name):
        self.importing = name
        try:
            importlib.import_module(name)
        except BaseException as problem:
            self._unfit("cannot be imported: %s: %s" % (type(problem).__name__, problem))
        trace = _trace()
        if trace:
            self._unfit(trace)
        if os.environ is not self.variables[0]:
            self._unfit("replaces os.environ")

    def _compare(self):
        for name, origin in self.modules.items():
            spec = getattr(sys.modules.get(name), "__spec__", None)
            here = getattr(spec, "origin", None)
            if here and origin and here != origin:
                self.importing = name
                self._unfit("is found at %s, not at %s" % (here, origin))

    def find_spec(self, name, path=None, target=None):
        """As the first finder: sees what is about to be imported, and finds nothing."""
        if name in self.own:
            self._unfit("imports %s, which is the program's own" % name)
        if self._left_out(name):
            self._unfit("imports %s, which is left out" % name)
        return None

    def asked(self, name):
        """Somebody asks for a variable; None means a copy of all of them."""
        text = name.decode("latin-1") if isinstance(name, bytes) else name
        who = _asking()
        if name is None and who not in COPIES_IN_PASSING:
            self._unfit("copies all variables (in %s)" % who)
        if text in self.names:
            self._unfit("reads %s (in %s)" % (text, who))

    def _unfit(self, why):
        _end(self.importing, why)


def _watched(kind, standby):
    class Watched(kind):
        def __getitem__(self, key):
            standby.asked(key)
            standby.taken.add(key)
            if standby.listed and len(standby.taken) >= len(self):
                standby.listed = False
                standby.asked(None)
            return kind.__getitem__(self, key)

        def __setitem__(self, key, value):
            standby.asked(key)
            kind.__setitem__(self, key, value)

        def __delitem__(self, key):
            standby.asked(key)
            kind.__delitem__(self, key)

        def keys(self):
            # dict(os.environ) asks for all names, then for each value; others pick their own by name.
            standby.listed = True
            standby.taken.clear()
            return kind.keys(self)

    return Watched


def _asking():
    """The module whose code asks for a variable."""
    frame = sys._getframe(1)
    while frame is not None:
        name = frame.f_globals.get("__name__", "")
        if name not in (__name__, "os", "_collections_abc", "collections.abc"):
            return name
        frame = frame.f_back
    return ""


def _trace():
    """What an import left behind that a rank must not inherit; empty: nothing."""
    for number in os.listdir("/proc/self/fd"):
        try:
            target = os.readlink("/proc/self/fd/" + number)
        except OSError:
            continue
        if target.startswith(DEVICES):
            return "opens " + target
        if target.startswith("socket:"):
            return "opens a socket"
    for thread in os.listdir("/proc/self/task"):
        try:
            with open("/proc/self/task/%s/children" % thread) as file:
                if file.read(1):
                    return "starts a process"
        except OSError:
            continue  # a thread that ended, or a kernel that does not tell
    return ""


def _first_to_die():
    """When memory is short the kernel should take a standby before it takes a rank. What undoes it."""
    path = "/proc/self/oom_score_adj"
    try:
        with open(path) as file:
            before = file.read().strip()
        with open(path, "w") as file:
            file.write("1000")
    except OSError:
        return lambda: None

    def undo():
        with open(path, "w") as file:
            file.write(before)

    return undo


def _politely():
    """Runs behind the ranks, where that can be undone; a child tries it out. What undoes it."""
    before = os.getpriority(os.PRIO_PROCESS, 0)
    polite = min(19, before + NICE)
    child = os.fork()
    if child == 0:
        try:
            os.setpriority(os.PRIO_PROCESS, 0, polite)
            os.setpriority(os.PRIO_PROCESS, 0, before)
            os._exit(0)
        except BaseException:
            os._exit(1)
    if os.waitpid(child, 0)[1] != 0:
        return lambda: None
    os.setpriority(os.PRIO_PROCESS, 0, polite)

    def undo():
        for thread in os.listdir("/proc/self/task"):
            try:
                os.setpriority(os.PRIO_PROCESS, int(thread), before)
            except ProcessLookupError:
                pass

    return undo
