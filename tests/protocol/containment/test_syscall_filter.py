"""The filter of system calls: its program, run by a small machine, and its table."""

import errno
import os
import re
import struct
from functools import partial
from pathlib import Path

import pytest

from protocol.containment import syscall_filter
from protocol.containment.syscall_filter import TABLE

ALLOW = 0x7FFF0000
REFUSED = 0x00050000
MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}


def answer(program: bytes, architecture: int, number: int, *arguments: int) -> int:
    """What the kernel would be told about a call: a small machine for the five instructions that filters use."""
    data = struct.pack("=IIQ6Q", number, architecture, 0, *(arguments + (0,) * 6)[:6])
    steps = list(struct.iter_unpack("=HBBI", program))
    accumulator = at = 0
    while True:
        code, yes, no, operand = steps[at]
        at += 1
        if code == 0x20:
            accumulator = struct.unpack_from("=I", data, operand)[0]
        elif code == 0x06:
            return int(operand)
        else:
            holds = {0x15: accumulator == operand, 0x35: accumulator >= operand, 0x45: bool(accumulator & operand)}[
                code
            ]
            at += yes if holds else no


def test_what_the_table_names_is_refused_and_nothing_else() -> None:
    """In both levels, on both architectures; where a row has arguments, a call without them passes."""
    for machine, (architecture, column) in MACHINES.items():
        for level in ("basic", "strict"):
            program = syscall_filter.program(level, machine)
            rows = [row for row in TABLE if level in row.levels and row.numbers[column] is not None]
            whole = {row.numbers[column]: REFUSED | row.error for row in rows if not row.arguments}
            found = {number: answer(program, architecture, number, *[1 << 40] * 6) for number in range(600)}
            assert found == {number: whole.get(number, ALLOW) for number in range(600)}, (machine, level)


def refused(machine: str, level: str, name: str, *arguments: int, by: int = errno.EPERM) -> bool:
    """True if this call is refused with this error."""
    architecture, column = MACHINES[machine]
    number = next(row.numbers[column] for row in TABLE if row.name == name)
    assert number is not None
    told = answer(syscall_filter.program(level, machine), architecture, number, *arguments)
    assert told in (ALLOW, REFUSED | by), (name, arguments)
    return told != ALLOW


def test_calls_are_told_apart_by_their_arguments() -> None:
    """Threads, processes, own limits and plain files pass; other processes, namespaces, leases and flags do not."""
    for machine in MACHINES:
        basic, strict = (partial(refused, machine, level) for level in ("basic", "strict"))
        assert not basic("clone", 17) and not basic("clone", 0x3D0F00), "a process and a thread"
        assert all(basic("clone", flag | 17) for flag in (0x20000, 0x2000000, 0x10000000, 0x40000000))
        assert not basic("prlimit64", 0, 7, 1) and basic("prlimit64", 4711, 7, 1)
        assert not basic("prctl", 15) and not basic("prctl", 1, 9), "a name, and the death signal that it has"
        assert basic("prctl", 1, 0) and strict("prctl", 1, 0)
        assert basic("prctl", 62, by=errno.EINVAL) and basic("fcntl", 3, 1024, by=errno.EINVAL)
        assert not any(basic("fcntl", 3, command) for command in (*range(17), 1025, 1030, 1031))
        assert all(basic("ioctl", 3, flags, by=errno.ENOTTY) for flags in (0x40086602, 0x401C5820))
        assert not basic("ioctl", 3, 0x5401) and not basic("ioctl", 3, 0x541B)
        assert not strict("ioctl", 3, 0x40086602), "its mounts are read-only"


def test_calls_of_other_architectures_do_not_pass() -> None:
    """Their numbers mean other calls: a 32-bit program ends, and x32 is told not to be there."""
    for machine, (architecture, _) in MACHINES.items():
        program = syscall_filter.program("basic", machine)
        assert answer(program, 0x40000003, 0) == 0x80000000
        assert answer(program, architecture, 0x40000000) == REFUSED | errno.ENOSYS


@pytest.mark.parametrize(
    ("header", "column"),
    [("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", 0), ("/usr/include/asm-generic/unistd.h", 1)],
)
def test_the_numbers_of_system_calls_are_the_kernels(header: str, column: int) -> None:
    """Every number of the table is the one in the headers of the system, as far as they know the call."""
    if not os.path.exists(header):
        pytest.skip(f"there is no {header}")
    known = dict(re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", Path(header).read_text()))
    wrong = {
        row.name
        for row in TABLE
        if (row.name in known and known[row.name] != str(row.numbers[column]))
        or (row.name not in known and (row.numbers[column] or 0) < 400 and row.numbers[column] is not None)
    }
    assert not wrong and len({row.name for row in TABLE} & known.keys()) > 40
