"""The memory of the machine or its container: half of it is what the app may hold if no host says otherwise."""

import os
import sys
from pathlib import Path

import pytest

from ui.work import limits, process_memory

# {case: (/proc/self/cgroup, {file below the mount: its content}, the limits)}
NO_LIMIT = "9223372036854771712\n"  # what cgroups 1 say
CASES: dict[str, tuple[str, dict[str, str], list[int]]] = {
    "a container, cgroups 2": ("0::/\n", {"memory.max": "1073741824\n"}, [2**30]),
    "no limit, cgroups 2": ("0::/user.slice\n", {"user.slice/memory.max": "max\n"}, []),
    "the limit of a group around it": (
        "0::/system.slice/app.service\n",
        {"system.slice/app.service/memory.max": "max\n", "system.slice/memory.max": "500\n"},
        [500],
    ),
    "a container, cgroups 1": (
        "5:cpu,cpuacct:/\n4:memory:/docker/ab12\n0::/\n",
        {"memory/memory.limit_in_bytes": "2000\n"},
        [2000],
    ),
    "a group, cgroups 1": (
        "4:memory:/mine\n",
        {"memory/mine/memory.limit_in_bytes": "3000\n", "memory/memory.limit_in_bytes": NO_LIMIT},
        [3000, int(NO_LIMIT)],
    ),
    "a path with a colon": ("0::/a:b\n", {"a:b/memory.max": "7\n"}, [7]),
    "nothing": ("", {}, []),
}


@pytest.mark.parametrize(("groups", "files", "bounds"), CASES.values(), ids=CASES)
def test_the_limits_of_a_container_are_read(
    tmp_path: Path, groups: str, files: dict[str, str], bounds: list[int]
) -> None:
    for name, content in files.items():
        (tmp_path / "mount" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "mount" / name).write_text(content, "ascii")
    (tmp_path / "groups").write_text(groups, "ascii")
    assert [*process_memory.container_limits(tmp_path / "groups", tmp_path / "mount")] == bounds


def test_without_cgroups_it_is_the_memory_of_the_machine(tmp_path: Path) -> None:
    assert process_memory.total(tmp_path / "none", tmp_path) == next(process_memory.machine())


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such name")
def test_the_machine_has_the_memory_that_the_system_says() -> None:
    assert [*process_memory.machine()] == [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]


@pytest.mark.parametrize(("machine", "app"), [(0, 660), (2**29, 300), (10**9, 500), (10**16, 660)])
def test_the_app_may_hold_half_of_a_small_machine(machine: int, app: int) -> None:
    assert limits.share_of(machine) == app


def test_the_hosted_app_may_hold_less_than_its_container_gives_it() -> None:
    assert (limits.MEMORY.least, limits.MEMORY.most) == (300, 1_000_000)
    assert limits.MEMORY.default == limits.share_of(process_memory.total())
    assert limits.VISITOR.default <= limits.MEMORY.default
