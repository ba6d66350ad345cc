"""The console script `arena`. Imports nothing at module level: workers import the main module again."""


def main() -> None:
    """Run the command line and leave with its exit code."""
    try:
        _leave_at_the_second()
        import sys

        from arena.cli.app import program

        program(sys.argv[1] if len(sys.argv) > 1 else None)(prog_name="arena")
    except KeyboardInterrupt:
        # While modules are loaded nobody else answers Ctrl-C; `errors.INTERRUPTED` may be among what is not loaded yet.
        raise SystemExit(130) from None


def _leave_at_the_second() -> None:
    """Let a second Ctrl-C end this process whatever the first one met.

    Where Python calls back from C, as it does while modules are loaded and processes forked, it drops the exception
    and, at worst, a lock with it, for which the end would then wait. Games have a handler of their own.
    """
    import os
    import signal
    from types import FrameType

    def first(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))
        raise KeyboardInterrupt

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not where whoever started us ignores it
        signal.signal(signal.SIGINT, first)


if __name__ == "__main__":
    main()
