"""How examples are drawn, in every test that draws some."""

from hypothesis import HealthCheck, settings

# No deadline and no complaint of slowness: a busy machine stretches single examples. The suite's own limit on a test
# holds for all of them together.
settings.register_profile(
    "alike",
    derandomize=True,
    database=None,
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
# More of them, and others every time: of `make test-all`.
settings.register_profile("thorough", settings.get_profile("alike"), derandomize=False, max_examples=500)
settings.load_profile("alike")
