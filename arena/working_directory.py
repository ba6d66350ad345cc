"""What becomes of a program whose working directory is removed."""

import contextlib
import os


def leave_if_gone() -> bool:
    """Go to a folder that is there, if the working directory has been removed.

    Python and its libraries ask for the working directory even if nothing relative is needed. In /proc, as in the
    folder that is gone, no file of the user is found and none can be made. True if it was gone.
    """
    try:
        os.getcwd()
    except FileNotFoundError:
        with contextlib.suppress(OSError):
            os.chdir("/proc")
        return True
    return False
