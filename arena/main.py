"""The console script `arena`. Imports nothing at module level: workers import the main module again."""


def main() -> None:
    """Run the command line and leave with its exit code."""
    try:
        _exit_at_second_interrupt()
        import sys

        from arena.cli.app import program

        program(sys.argv[1] if len(sys.argv) > 1 else None)(prog_name="arena")
    except KeyboardInterrupt:
        # Ctrl-C while modules are loaded: `errors.INTERRUPTED` may not be loaded yet.
        raise SystemExit(130) from None


def _exit_at_second_interrupt() -> None:
    """Let a second Ctrl-C end this process at once, whatever the first one interrupted.

    In callbacks from C, such as while modules are loaded or processes forked, Python drops the exception. In the worst
    case it leaves a lock held, for which the exit would wait forever. Games have a handler of their own.
    """
    import os
    import signal
    from types import FrameType

    def first(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))
        raise KeyboardInterrupt

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # unless our parent process ignores it
        signal.signal(signal.SIGINT, first)


if __name__ == "__main__":
    main()
