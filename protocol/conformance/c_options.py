"""Checks C: options."""

from protocol.conformance.bench import Bench, require
from protocol.conformance.check import Group, Severity
from protocol.conformance.positions import Place
from protocol.conformance.talk import EngineLine, Talk, is_remark
from protocol.conformance.violation import NotApplicable, Violation
from protocol.messages import ErrorLine, OptionLine

GROUP = Group("C", "Options")
F, M, m = Severity.FATAL, Severity.MAJOR, Severity.MINOR
_REFUSED = "the default is refused"
HASH_CAP = 256
"""The largest Hash that is tried, in MB: a machine need not have what an engine could use."""


def _options(bench: Bench) -> list[OptionLine]:
    options = list(bench.announced.values())
    if not options:
        raise NotApplicable("it announced no option")
    return options


@GROUP.check(1, "3.3", M, "every option line has a name, a type and what the type needs", "no type, no var, min > max")
def announces_wellformed(bench: Bench) -> str:
    lines = [each for each in bench.greeting.heard if each.raw.split()[:1] == [b"option"]]
    for each in lines:
        require(isinstance(each.message, OptionLine), f"{each.raw[:120]!r} has no name")
        problems = [p for p in getattr(each.message, "problems", ()) if not p.startswith(_REFUSED)]
        require(not problems, f"{each.raw[:120]!r}: {'; '.join(problems)}")
    return f"{len(lines)} options"


@GROUP.check(2, "3.3", m, "every default is a value that its option can take", "default 0, min 1")
def defaults_are_values(bench: Bench) -> None:
    for option in _options(bench):
        for problem in option.problems:
            require(not problem.startswith(_REFUSED), problem)


@GROUP.check(3, "3.3", m, "no two options have one name, letter case ignored")
def names_are_unlike(bench: Bench) -> None:
    names = [e.message.name.lower() for e in bench.greeting.heard if isinstance(e.message, OptionLine)]
    twice = sorted({name for name in names if names.count(name) > 1})
    require(not twice, f"announced more than once: {', '.join(twice)}")


@GROUP.check(4, "4.1", M, "every option takes its own default", "it stumbles over `<empty>`")
def takes_defaults(bench: Bench) -> str:
    talk, options = bench.engine(), _options(bench)
    for option in options:
        if option.type != "button":
            _set(talk, option, option.default or "")
    bench.choose(talk, bench.announced, bench.variant)
    bench.lives(talk)
    return f"{len(options)} options"


@GROUP.check(
    5, "4.2", M, f"spins take their least and greatest value (Hash: {HASH_CAP} at most), combos and checks all theirs",
    "a table is allocated that the machine does not have",
)  # fmt: skip
def takes_extremes(bench: Bench) -> str:
    talk, tried = bench.engine(), 0
    for option in _options(bench):
        values: tuple[str, ...] = option.choices if option.type == "combo" else ()
        if option.type == "check":
            values = ("true", "false")
        if option.type == "spin" and option.min is not None and option.max is not None:
            most = min(option.max, max(option.min, HASH_CAP)) if "hash" in option.name.lower() else option.max
            values = (str(option.min), str(most))
        for value in (*values, *([option.default] if values and option.default else [])):
            _set(talk, option, value)
            tried += 1
    bench.choose(talk, bench.announced, bench.variant)
    bench.lives(talk)
    return f"{tried} values"


@GROUP.check(6, "4.3", m, "unknown options and values out of range are survived", "an exception that nobody catches")
def survives_bad_values(bench: Bench) -> None:
    talk = bench.engine()
    talk.ready("setoption name Nonsense value 3", "setoption", "setoption name", "setoption name Nonsense")
    for option in bench.announced.values():
        name = f"setoption name {option.name}"
        if option.type == "spin":
            talk.ready(f"{name} value {(option.max or 0) + 1}", f"{name} value x", f"{name} value", name)
        elif option.type in ("combo", "check"):
            talk.ready(f"{name} value nonsense", f"{name} value", name)
    bench.choose(talk, bench.announced, bench.variant)
    bench.lives(talk)


@GROUP.check(7, "4.1", m, "letter case in an option's name does not matter, and names and values may have blanks")
def ignores_case(bench: Bench) -> None:
    talk = bench.engine()
    for option in _options(bench):
        if option.type == "button":
            continue
        heard = _set(talk, OptionLine(option.name.swapcase(), option.type), option.default or "")
        complaints = [each.message.text for each in heard if isinstance(each.message, ErrorLine)]
        require(not complaints, f"{option.name.swapcase()}: {complaints[:1]}")
    talk.ready("setoption name no such  option value some  words")
    if (combo := bench.announced.get("ugi_variant")) is not None and len(bench.variants()) > 1:
        other = _unlike(bench)
        bench.choose(
            talk, {"ugi_variant": OptionLine(combo.name.swapcase(), "combo", None, None, None, combo.choices)}, other
        )
        talk.new_game()
        bench.move(talk, "nodes 100", variant=other)


@GROUP.check(8, "4.1", m, "setting an option is not answered", "an echo may be taken for the answer to something else")
def sets_silently(bench: Bench) -> None:
    talk = bench.engine()
    for option in _options(bench):
        if option.type != "button":
            for each in _set(talk, option, option.default or ""):
                require(is_remark(each), f"it answered with {each.raw[:80]!r}")


@GROUP.check(9, "4.6", M, "UGI_Variant decides what is played", "it is announced and not heeded")
def plays_what_is_set(bench: Bench) -> str:
    bench.option("UGI_Variant")
    talk, done = bench.engine(), []
    for variant in [*_some(bench), bench.variant]:
        bench.choose(talk, bench.announced, variant)
        talk.new_game()
        for place in bench.book_of(variant).places(bench.many(6, 40)):
            bench.move(talk, "nodes 20", place, variant)
        bench.move(talk, "nodes 20", Place(), variant)
        done.append(variant)
    return ", ".join(done)


def _some(bench: Bench) -> list[str]:
    variants = [variant for variant in bench.variants() if len(bench.line(variant=variant).fen) < 200]
    return variants if bench.lab.terms.thorough else variants[:2] + variants[-3:]


def _unlike(bench: Bench) -> str:
    """A variant that is announced and whose start is another board."""
    start = bench.line().fen
    for variant in reversed(bench.variants()):
        if bench.line(variant=variant).fen != start:
            return variant
    raise NotApplicable("all variants that it announced start alike")


@GROUP.check(10, "4.6", M, "UGI_Rules changes the rules", "it is announced and not heeded", each_variant=True)
def plays_by_the_knobs(bench: Bench) -> str:
    bench.option("UGI_Rules")
    base, knobs = bench.judge.wire(bench.variant)
    if not bench.book.knobs or knobs:
        raise NotApplicable(f"{bench.variant} has no knob that can be tried")
    asked = "legalmoves" in ((bench.announced.get("ugi_queries") or OptionLine("", "")).default or "").split()
    talk, done = bench.engine(), []
    for knob in bench.book.knobs:
        rules = ",".join(knob.rules.split())
        variant, place = f"{base}:{rules}", Place(knob.fen)
        bench.choose(talk, bench.announced, variant)
        talk.new_game()
        talk.place(place)
        if asked:
            said = (talk.ask("legalmoves") or "").split()
            require(
                sorted(said[1:]) == sorted(knob.legal),
                f"with {rules} it names {len(said) - 1} legal moves, not {len(knob.legal)}",
            )
        elif knob.legal:
            for _ in range(4):
                bench.move(talk, "nodes 50", place, variant)
        else:
            continue
        done.append(rules)
    if not done:
        raise NotApplicable("the knobs of this variant can only be seen by query legalmoves")
    return "; ".join(done)


@GROUP.check(11, "4.2", M, "options can still be set after three games", "they are read only at the start")
def sets_options_late(bench: Bench) -> None:
    options = _options(bench)
    talk = bench.engine()
    several = bench.announced.get("ugi_variant") is not None and len(bench.variants()) > 1
    for number in range(4):
        other = _unlike(bench) if several and number % 2 == 0 else bench.variant
        for option in options:
            if option.type == "check" and option.default is not None:
                _set(talk, option, option.default)
        bench.choose(talk, bench.announced, other)
        talk.new_game()
        for place in bench.book_of(other).places(4):
            bench.move(talk, "nodes 20", place, other)


def _set(talk: Talk, option: OptionLine, value: str | None) -> list[EngineLine]:
    try:
        return talk.set_option(option.name, value)
    except Violation as violation:
        raise Violation(f"after setting {option.name} to {value or '<empty>'}: {violation}") from None
