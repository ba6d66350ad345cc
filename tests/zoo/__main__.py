"""The zoo as a program: `python -P -m tests.zoo [--fault NAME] ...`.

NAME is a fault of `faults`, or a change of `changes.diff`, which is made before the engine is imported.
"""

import sys

from tests.zoo import changed

if __name__ == "__main__":
    sys.exit(changed.run(sys.argv[1:]))
