"""The blind engine with the tafl games of version 1.2 of the specification: `python -m tests.zoo.modern`.

It announces `scottish` and the variants that came with 1.2, and knows the knobs and values that did. `--fault NAME`
names one of its faults in tests/zoo/faults.csv, each in one of these rules; without it the engine is conformant.
"""

from tests.zoo.blind.engine import run
from tests.zoo.modern.engine import Modern

if __name__ == "__main__":
    run(Modern, __doc__)
