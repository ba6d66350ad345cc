"""The console script `arena`. Imports nothing at module level: workers import the main module again."""


def main() -> None:
    """Run the command line and leave with its exit code."""
    from arena.cli.app import app

    app(prog_name="arena")


if __name__ == "__main__":
    main()
