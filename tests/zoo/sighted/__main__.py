"""The blind engine with other faults, by an author who knows the checks: `python -m tests.zoo.sighted`.

They are what real engines get wrong, and what the checks are said to find. `--fault NAME` names one of them in
tests/zoo/faults.csv; without it the engine is conformant. Each fault changes one method.
"""

from tests.zoo.blind.engine import run
from tests.zoo.sighted.engine import Sighted

if __name__ == "__main__":
    run(Sighted, __doc__)
