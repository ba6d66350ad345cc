"""The console script `arena`. Imports nothing at module level: workers import the main module again."""


def main() -> None:
    """Run the command line and leave with its exit code."""
    try:
        from arena.cli.app import app

        app(prog_name="arena")
    except KeyboardInterrupt:
        # While modules are loaded nobody else answers Ctrl-C; `errors.INTERRUPTED` may be among what is not loaded yet.
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()
