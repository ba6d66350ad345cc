"""The console script `arena`. Loads nothing at module level: workers import the main module again."""

import gc

# What modules make while they are loaded stays. To look for garbage in it was a tenth of the start of a command, and of
# the start of a worker.
gc.set_threshold(50_000, 20, 20)


def main() -> None:
    """Run the command line and leave with its exit code."""
    try:
        _hear_every_interrupt()
        import os
        import sys

        # typer builds each option with pydantic, which would first look through all installed packages for plug-ins:
        # that takes some 10 ms.
        os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")
        from arena.cli.app import program

        if _leave_if_gone():
            print("arena: the current folder was removed: only absolute paths work", file=sys.stderr)
        program()(prog_name="arena")
    except KeyboardInterrupt:
        # Ctrl-C before the command's frame has begun: `errors.INTERRUPTED` may not be loaded yet.
        raise SystemExit(130) from None


def _leave_if_gone() -> bool:
    """Go to a folder that is there, if the working directory has been removed. True if it was.

    Python and its libraries ask for the working directory even if nothing relative is needed. In /proc, as in the
    folder that is gone, no file of the user is found and none can be made.
    """
    import contextlib
    import os

    try:
        os.getcwd()
    except FileNotFoundError:
        with contextlib.suppress(OSError):
            os.chdir("/proc")
        return True
    return False


def _hear_every_interrupt() -> None:
    """Let the first Ctrl-C raise KeyboardInterrupt, and leave at once where that would be lost; so does a second one.

    An exception may be lost while modules are loaded: some modules catch whatever importing another raises, and where C
    calls Python (a callback of a weak reference, a fork) Python drops it. In the worst case that leaves a lock held,
    for which the exit would wait forever. Nothing has begun then that would have to be ended, unless this process has
    children. Games have a handler of their own.
    """
    import _thread
    import os
    import signal
    import sys
    import time
    from types import FrameType

    from arena.play import held_files

    def loads_modules(frame: FrameType | None) -> bool:
        """Whether what runs in this frame is loading a module."""
        while frame is not None:
            if frame.f_code.co_filename.startswith("<frozen importlib._bootstrap"):
                return True
            frame = frame.f_back
        return False

    def leave() -> None:
        try:
            sys.stdout.flush()
        except Exception:
            pass  # it may be closed, or be writing right now
        held_files.leave(130)

    def first(number: int, frame: FrameType | None) -> None:
        if loads_modules(frame) and not _has_children():
            leave()
        signal.signal(signal.SIGINT, lambda *_: held_files.leave(130))
        raise KeyboardInterrupt

    def again() -> None:
        time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    def dropped(lost: "sys.UnraisableHookArgs") -> None:
        if not issubclass(lost.exc_type, KeyboardInterrupt):
            usual(lost)
        elif not _has_children():
            leave()
        else:  # once more, when whatever dropped it is over
            signal.signal(signal.SIGINT, first)
            _thread.start_new_thread(again, ())

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # unless our parent process ignores it
        usual, sys.unraisablehook = sys.unraisablehook, dropped
        signal.signal(signal.SIGINT, first)


def _has_children() -> bool:
    """Whether this process started others that still run. True where the system does not say."""
    import os

    pid = os.getpid()
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as children:
            return bool(children.read())
    except OSError:
        return True


if __name__ == "__main__":
    main()
