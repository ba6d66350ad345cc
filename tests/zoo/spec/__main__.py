"""An engine that keeps every clause of the specification, or breaks one of them: `python -m tests.zoo.spec`.

It was written from protocol/SPEC.md alone, by an author who had not seen the checks. So it shows whether the checks
find what authors do wrong. `--fault NAME` names one of its faults in tests/zoo/faults.csv; without it the engine is
conformant. Each fault stands where an author would make it, as `if self.fault(NAME)`.
"""

from tests.zoo.spec.engine import Engine, run

if __name__ == "__main__":
    run(Engine, __doc__)
