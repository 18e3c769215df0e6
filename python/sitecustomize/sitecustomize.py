"""Run by every Python that a rank starts, because the launcher puts this folder first on PYTHONPATH.

It lets the launcher ask a rank that seems stuck for the stacks of its threads: faulthandler writes them from the
signal handler itself, so it works while the interpreter lock is held, and without any right to trace processes.
It lets programs `import holdfast`, and keeps torch from warning about a variable that only older versions need. With
`holdfast run --warm` it notes what a rank imports, and keeps a standby waiting here (see holdfast_warm). It then runs the
sitecustomize that would have been run without it.

    HOLDFAST_STACK_FILE     where stacks go; unset or empty: none are written. The first line of each process that
                            can be asked says so: a process not named there must not be sent the signal.
    HOLDFAST_STACK_SIGNAL   the number of the signal; SIGUSR2 when unset

PYTHONPATH stays as it is, so that Pythons started by this one are prepared too.
"""


def _wait_as_standby():
    """Returns at once, or as a rank; a standby that cannot wait must not run the program."""
    import os

    if os.environ.get("HOLDFAST_STANDBY"):
        try:
            import sys

            import holdfast_warm

            _name_recorder()  # torch looks when it is imported, and that is now
            holdfast_warm.hold()
            del sys.modules["holdfast_warm"]
        except BaseException:
            os._exit(70)


def _learn_modules():
    import os

    if os.environ.get("HOLDFAST_LEARN"):
        import sys

        import holdfast_warm

        holdfast_warm.learn()
        del sys.modules["holdfast_warm"]


def _register_stacks():
    import os

    path = os.environ.get("HOLDFAST_STACK_FILE")
    if not path:
        return
    import faulthandler
    import signal

    number = int(os.environ.get("HOLDFAST_STACK_SIGNAL") or signal.SIGUSR2)
    if signal.getsignal(number) != signal.SIG_DFL:
        return
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY, 0o644)
    faulthandler.register(number, file=file, all_threads=True, chain=False)
    if os.fstat(file).st_size < 65536:  # a rank may start many short-lived Pythons
        os.write(file, ("# process %d writes its stacks here on signal %d\n" % (os.getpid(), number)).encode())


def _offer_package(folder):
    import os
    import sys

    above = os.path.dirname(folder)
    if above not in sys.path:
        sys.path.append(above)


def _name_recorder():
    """Takes back old names of the flight recorder's variables where torch knows the new ones and warns about the old.

    Until 2.10 the pipe that asks for a record needs an old name. The version is read from torch's own file, because
    importing torch takes seconds.
    """
    import os

    names = {
        "TORCH_NCCL_TRACE_BUFFER_SIZE": "TORCH_FR_BUFFER_SIZE",
        "TORCH_NCCL_DEBUG_INFO_TEMP_FILE": "TORCH_FR_DUMP_TEMP_FILE",
    }
    stale = [old for old in names if old in os.environ and os.environ.get(names[old]) == os.environ[old]]
    if not stale:
        return
    from importlib.machinery import PathFinder

    found = PathFinder.find_spec("torch")
    if found is None or not found.submodule_search_locations:
        return
    with open(os.path.join(found.submodule_search_locations[0], "version.py")) as file:
        for line in file.read(4096).splitlines():
            if line.startswith("__version__"):
                version = line.partition("=")[2].strip(" \"'").split(".")
                if (int(version[0]), int(version[1])) >= (2, 11):
                    for old in stale:
                        del os.environ[old]
                return


def _next(folder):
    """The specification of the sitecustomize further down the path, None when there is none."""
    import os
    import sys
    from importlib.machinery import PathFinder

    path = [os.path.abspath(entry) for entry in sys.path]
    below = sys.path[path.index(folder) + 1 :] if folder in path else []
    found = PathFinder.find_spec("sitecustomize", below)
    return found if found is not None and found.has_location else None


def _prepare():
    """Does all that; whatever goes wrong, Python starts as if this file were not there."""
    import os

    folder = os.path.dirname(os.path.abspath(__file__))
    found = None
    for part in (_register_stacks, lambda: _offer_package(folder), _name_recorder, _learn_modules):
        try:
            part()
        except Exception:
            pass
    try:
        found = _next(folder)
    except Exception:
        pass
    return found


def _hand_over(found):
    """Runs the other sitecustomize in our place. What it raises is for Python to tell, as it always did."""
    import sys
    from importlib.util import module_from_spec

    module = module_from_spec(found)
    sys.modules["sitecustomize"] = module
    found.loader.exec_module(module)


_wait_as_standby()
_found = _prepare()
if _found is not None:
    _hand_over(_found)
