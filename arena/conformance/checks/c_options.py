"""Checks C: options."""

from arena.conformance.check import Area, M, check, m
from arena.conformance.checked_engine import CheckedEngine, EngineLine, is_remark
from arena.conformance.context import START, CheckContext, applies, require
from arena.conformance.judge.positions import GamePosition
from arena.conformance.violation import IllegalAnswer, NotApplicable, Violation, quoted
from arena.games.game_words import canonical_word
from arena.games.variants import find, kind_of
from protocol.messages import ErrorLine, Id, Message, OptionLine, UgiOk, Unknown

_REFUSED = "the default is refused"
HASH_CAP = 256
"""The largest Hash that is tried, in MB. The machine may have less memory than the engine could use."""


def _options(ctx: CheckContext) -> list[OptionLine]:
    options = list(ctx.announced.values())
    applies(options, "it announced no option")
    return options


@check(
    "C1", "3.3", M, "every option line has a name, a type and what the type needs", "no type, no var, min > max",
    needs=("A3",),
)  # fmt: skip
def announces_wellformed(ctx: CheckContext) -> str:
    lines = [each for each in ctx.greeting.lines if each.raw.split()[:1] == [b"option"]]
    for each in lines:
        require(isinstance(each.message, OptionLine), f"{quoted(each.raw, 120)} has no name")
        problems = [p for p in getattr(each.message, "problems", ()) if not p.startswith(_REFUSED)]
        require(not problems, f"{quoted(each.raw, 120)}: {'; '.join(problems)}")
        if isinstance(each.message, OptionLine):
            _has_no_other_default(each.raw, each.message)
    messages = [each.message for each in ctx.ordinary.lines]
    late = [m for m in messages[_first_ugiok(messages) :] if isinstance(m, OptionLine | Id)]
    if late:
        raise Violation(f"after `ugiok` came {late[0]}, which the referee does not look at", clause="3.1")
    return f"{len(lines)} options"


def _first_ugiok(messages: list[Message]) -> int:
    return next((number for number, each in enumerate(messages) if isinstance(each, UgiOk)), len(messages))


def _has_no_other_default(raw: bytes, option: OptionLine) -> None:
    text = f"{quoted(raw, 120)}"
    require(option.type != "button" or option.default is None, f"{text}: a button has no default")
    empty = option.default == "" and b"<empty>" not in raw
    require(not empty, f"{text}: an empty string is written <empty>")


@check(
    "C2", "3.3", m, "every default is a value that its option can take", "default 0, min 1",
    needs=("C1",),
)  # fmt: skip
def defaults_are_values(ctx: CheckContext) -> None:
    for option in _options(ctx):
        for problem in option.problems:
            require(not problem.startswith(_REFUSED), problem)


@check("C4", "4.2", M, "every option takes its own default", "it stumbles over `<empty>`", needs=("C1",))
def takes_defaults(ctx: CheckContext) -> str:
    engine, options = ctx.new_engine(), _options(ctx)
    for option in options:
        # A button is pressed: it has no value.
        _set(engine, option, None if option.type == "button" else option.default or "")
    ctx.set_variant(engine, ctx.variant)
    ctx.require_alive(engine)
    return f"{len(options)} options"


@check(
    "C5", "4.2", M,
    f"spins take their least and greatest value (Hash: {HASH_CAP} at most), combos and checks all theirs",
    "a table is allocated that the machine does not have",
    needs=("C4",),
)  # fmt: skip
def takes_extremes(ctx: CheckContext) -> str:
    engine, tried = ctx.new_engine(), 0
    for option in _options(ctx):
        values: tuple[str, ...] = option.choices if option.type == "combo" else ()
        if option.type == "check":
            values = ("true", "false")
        if option.type == "spin" and option.min is not None and option.max is not None:
            most = min(option.max, max(option.min, HASH_CAP)) if "hash" in option.name.lower() else option.max
            values = (str(option.min), str(most))
        for value in (*values, *([option.default] if values and option.default else [])):
            _set(engine, option, value)
            tried += 1
    ctx.set_variant(engine, ctx.variant)
    ctx.require_alive(engine)
    return f"{tried} values"


@check(
    "C6", "4.3", M, "unknown options and values out of range are survived", "it does not look at min and max",
    needs=("C4",),
)  # fmt: skip
def survives_bad_values(ctx: CheckContext) -> None:
    engine = ctx.new_engine()
    engine.ready("setoption name Nonsense value 3", "setoption", "setoption name", "setoption name Nonsense")
    for option in ctx.announced.values():
        name = f"setoption name {option.name}"
        if option.type == "spin":
            engine.ready(f"{name} value {(option.max or 0) + 1}", f"{name} value x", f"{name} value", name)
        elif option.type in ("combo", "check"):
            engine.ready(f"{name} value nonsense", f"{name} value", name)
    answer = engine.search(START, "nodes 100")
    ctx.set_variant(engine, ctx.variant)
    ctx.require_alive(engine)
    try:
        ctx.legal(answer)
    except IllegalAnswer as violation:
        raise Violation(f"after values out of range it plays another game: {violation}", minor=True) from None
    _keeps_its_seed(ctx, engine)
    _keeps_its_rules(ctx, engine)


def _keeps_its_seed(ctx: CheckContext, engine: CheckedEngine) -> None:
    """A Seed out of range changes nothing, if one seed brings one search."""
    seed = ctx.announced.get("seed")
    if seed is None or seed.min is None or seed.max is None:
        return
    moves = []
    for values in (("7",), ("7",), ("7", str(seed.max + 1)), ("7", str(seed.min - 1)), ("7", "x")):
        for value in values:
            engine.set_option(seed.name, value)
        words = []
        for position in ctx.book.positions(8):
            engine.ready("uginewgame")
            words.append(ctx.move(engine, "nodes 300", position).word)
        moves.append(words)
    alike = moves[0] == moves[1]
    require(not alike or moves.count(moves[0]) == len(moves), "a Seed out of range changes its moves", minor=True)


def _keeps_its_rules(ctx: CheckContext, engine: CheckedEngine) -> None:
    """A value of UGI_Rules that there is not changes nothing."""
    option = ctx.announced.get("ugi_rules")
    if option is None or "legalmoves" not in ctx.queries:
        return
    for rule_option in ctx.book.rule_options[:2]:
        ctx.begin(engine, f"{ctx.rules.base}:{','.join(rule_option.rules.split())}")
        for bad in ("", "nonsense=1", "king_steps=0", "nonsense"):
            if bad and not any(isinstance(e.message, ErrorLine) for e in engine.set_option(option.name, bad)):
                # Whether it can be played may be asked only when a position comes (4.6).
                continue
            engine.set_position(GamePosition(rule_option.fen))
            named = sorted((engine.ask("legalmoves") or "").split()[1:])
            unchanged = named == sorted(rule_option.legal)
            require(unchanged, f"after UGI_Rules {bad!r} the rules {rule_option.rules} are gone", minor=True)
    ctx.set_variant(engine, ctx.variant)


@check(
    "C7", "4.1", M, "letter case in an option's name does not matter, and names and values may have blanks",
    needs=("C4",),
)  # fmt: skip
def ignores_case(ctx: CheckContext) -> None:
    engine = ctx.new_engine()
    for option in _options(ctx):
        if option.type == "button":
            continue
        lines = _set(engine, OptionLine(option.name.swapcase(), option.type), option.default or "")
        complaints = [each.message.text for each in lines if isinstance(each.message, ErrorLine)]
        require(not complaints, f"{option.name.swapcase()}: {complaints[:1]}")
    engine.ready("setoption name no such  option value some  words")
    if (combo := ctx.announced.get("ugi_variant")) is not None and len(ctx.variants()) > 1:
        other = _unlike(ctx)
        swapped = OptionLine(combo.name.swapcase(), "combo", None, None, None, combo.choices)
        ctx.begin(engine, other, {"ugi_variant": swapped})
        ctx.move(engine, "nodes 100", variant=other)


@check(
    "C8", "4.1", M, "setting an option is not answered", "an echo may be taken for the answer to something else",
    needs=("C4",),
)  # fmt: skip
def sets_silently(ctx: CheckContext) -> None:
    engine = ctx.new_engine()
    for option in _options(ctx):
        if option.type != "button":
            for each in _set(engine, option, option.default or ""):
                # A line that is none of the protocol's cannot be taken for an answer.
                text = f"it answered with {quoted(each.raw)}"
                echo = option.name.lower().encode() in each.raw.lower()
                require(is_remark(each), text, minor=isinstance(each.message, Unknown) and not echo)


@check(
    "C9", "4.6", M, "UGI_Variant decides what is played", "it is announced and not heeded",
    needs=("C1", "E1"), area=Area.RULES,
)  # fmt: skip
def plays_what_is_set(ctx: CheckContext) -> str:
    combo = ctx.option("UGI_Variant")
    if combo.default in ctx.variants() and len(ctx.line(variant=combo.default).position.fen()) < 200:
        unset = ctx.start()
        unset.handshake()
        unset.new_game()
        ctx.moves(unset, "nodes 20", (START, *ctx.book_of(combo.default).positions(4)), combo.default)
    engine, played = ctx.new_engine(), []
    for variant in [*_some(ctx), ctx.variant]:
        ctx.begin(engine, variant)
        _is_not_the_default(ctx, engine, variant, combo.default)
        ctx.moves(engine, "nodes 20", ctx.book_of(variant).positions(ctx.repeats(6, 40)), variant)
        played.append(variant)
    return ", ".join(played)


def _is_not_the_default(ctx: CheckContext, engine: CheckedEngine, variant: str, default: str | None) -> None:
    answer = engine.search(START, "nodes 20")
    try:
        ctx.legal(answer, variant)
    except IllegalAnswer as violation:
        if default in ctx.variants() and canonical_word(ctx.line(variant=default), answer.word) is not None:
            violation.matter = ""
            raise violation.about(f"with UGI_Variant {variant} it plays {default}: {violation}") from None
        raise


def _some(ctx: CheckContext) -> list[str]:
    variants = [variant for variant in ctx.variants() if len(ctx.line(variant=variant).position.fen()) < 200]
    return variants if ctx.check_run.settings.thorough else variants[:2] + variants[-3:]


def _unlike(ctx: CheckContext) -> str:
    """An announced variant with another start board. Raises NotApplicable if there is none."""
    start = ctx.line().position.fen()
    for variant in reversed(ctx.variants()):
        if ctx.line(variant=variant).position.fen() != start:
            return variant
    raise NotApplicable("all variants that it announced start alike")


@check(
    "C10", "4.6", M, "UGI_Rules changes the rules", "it is announced and not heeded", each_variant=True,
    needs=("F10",), area=Area.RULES,
)  # fmt: skip
def plays_by_the_rule_options(ctx: CheckContext) -> str:
    ctx.option("UGI_Rules")
    base, rule_options = ctx.rules.base, ctx.rules.changed_options
    applies(bool(ctx.book.rule_options) and not rule_options, f"{ctx.variant} has no rule option that can be tried")
    lists_moves = "legalmoves" in ctx.queries
    engine, tried = ctx.new_engine(), []
    for rule_option in ctx.book.rule_options:
        rules = ",".join(rule_option.rules.split())
        variant, position = f"{base}:{rules}", GamePosition(rule_option.fen)
        if not lists_moves and not rule_option.legal:
            continue
        for rules_first in (False, True):
            if rules_first:
                if (foreign := _of_the_other_family(ctx)) is not None:
                    ctx.set_variant(engine, foreign)
                engine.set_option(ctx.option("UGI_Rules").name, rule_option.rules)
                if (combo := ctx.announced.get("ugi_variant")) is not None:
                    engine.set_option(combo.name, base)
            else:
                ctx.set_variant(engine, variant)
            engine.new_game()
            engine.set_position(position)
            if lists_moves:
                response = (engine.ask("legalmoves") or "").split()
                order = ", set before the variant," * rules_first
                require(
                    sorted(response[1:]) == sorted(rule_option.legal),
                    f"with {rules}{order} it names {len(response) - 1} legal moves, not {len(rule_option.legal)}",
                )
            else:
                for _ in range(4):
                    ctx.move(engine, "nodes 50", position, variant)
        tried.append(rules)
    applies(tried, "only query legalmoves shows the rule options of this variant")
    return "; ".join(tried)


def _of_the_other_family(ctx: CheckContext) -> str | None:
    """An announced variant whose rule options are others, None if there is none."""
    ours = kind_of(ctx.rules)
    return next((variant for variant in ctx.variants() if kind_of(find(variant)) is not ours), None)


@check(
    "C11", "4.2", M, "options can still be set after three games", "they are read only at the start",
    needs=("C4", "C9"),
)  # fmt: skip
def sets_options_late(ctx: CheckContext) -> None:
    options = _options(ctx)
    engine = ctx.new_engine()
    several = ctx.announced.get("ugi_variant") is not None and len(ctx.variants()) > 1
    for number in range(4):
        other = _unlike(ctx) if several and number % 2 == 0 else ctx.variant
        for option in options:
            if option.type == "check" and option.default is not None:
                _set(engine, option, option.default)
        ctx.begin(engine, other)
        ctx.moves(engine, "nodes 20", ctx.book_of(other).positions(4), other)


def _set(engine: CheckedEngine, option: OptionLine, value: str | None) -> list[EngineLine]:
    try:
        return engine.set_option(option.name, value)
    except Violation as violation:
        raise violation.about(f"after setting {option.name} to {value or '<empty>'}: {violation}") from None
