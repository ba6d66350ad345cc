"""`python -m arena`: the console script `arena`, for an environment whose scripts are not on the PATH."""

from arena.main import main

if __name__ == "__main__":
    main()
