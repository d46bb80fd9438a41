"""What a screen reader says in each beat of a lesson and at each step of Watch.

Run: python -m tests.browser.access.screen_reader [LESSON ...]. Prints it, to be read through: the name and the role of
what has the focus, and what live regions say, both from Chromium's accessibility tree.
"""

import sys
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import CDPSession, Page, sync_playwright

from tests.browser.app_server import serve
from tests.browser.chromium import find_chromium, launch, ready

Node = dict[str, Any]
STEPS = 12  # of Watch
MOST_BEATS = 40
LESSONS = ("count-merge-repeat", "the-first-tie")


def nodes(session: CDPSession) -> dict[str, Node]:
    """Return the nodes of the accessibility tree, by id."""
    tree = session.send("Accessibility.getFullAXTree")
    return {node["nodeId"]: node for node in tree["nodes"]}


def _value(node: Node, key: str) -> str:
    return str(node.get(key, {}).get("value", ""))


def _property(node: Node, name: str) -> object:
    values = (one["value"].get("value") for one in node.get("properties", ()) if one["name"] == name)
    return next(values, None)


def words(tree: dict[str, Node], node: Node) -> str:
    """Return what is read of a node and of all below it."""
    if node.get("ignored") or _value(node, "role") != "StaticText":
        below = (words(tree, tree[child]) for child in node.get("childIds", ()) if child in tree)
        return " ".join(filter(None, below))
    return _value(node, "name").strip()


def live(tree: dict[str, Node]) -> dict[str, str]:
    """Return what each live region holds, by the id of its node."""
    roots = [node for node in tree.values() if _property(node, "live") in ("polite", "assertive")]
    inner = {node["nodeId"] for node in roots if node.get("parentId") in {one["nodeId"] for one in roots}}
    return {node["nodeId"]: words(tree, node) for node in roots if node["nodeId"] not in inner}


def focus(tree: dict[str, Node]) -> str:
    """Return the name, role and value of what has the focus."""
    focused = [node for node in tree.values() if _property(node, "focused")]
    parts = (_value(focused[-1], key) for key in ("name", "role", "value", "description")) if focused else ()
    return ", ".join(filter(None, parts))


def speech(page: Page, session: CDPSession, key: str, times: int) -> Iterator[str]:
    """Press a key so often. Yield what is said each time: a new name with the focus, new texts of regions."""
    tree = nodes(session)
    before, at = live(tree), focus(tree)
    yield f"focus: {at}"
    for _ in range(times):
        page.keyboard.press(key)
        ready(page)
        tree = nodes(session)
        now, here = live(tree), focus(tree)
        new = [text for number, text in now.items() if text and text != before.get(number)]
        yield " | ".join(([f"focus: {here}"] if here != at else []) + new) or "(nothing)"
        before, at = now, here


def main() -> None:
    """Print what is said in some lessons and on Watch."""
    executable = find_chromium()
    if executable is None:
        sys.exit("This needs Chromium. Debian's package is chromium.")
    with serve() as server, sync_playwright() as playwright:
        browser = launch(playwright, executable)
        page = browser.new_page(base_url=server.url, reduced_motion="reduce")
        session = page.context.new_cdp_session(page)
        session.send("Accessibility.enable")
        for lesson in sys.argv[1:] or LESSONS:
            page.goto(f"/lessons?lesson={lesson}")
            ready(page)
            print(f"\nLesson {lesson}")
            for number, sentence in enumerate(speech(page, session, "Space", MOST_BEATS)):
                print(f"{number:3} {sentence}", flush=True)
                if page.get_by_test_id("lesson").get_attribute("data-lesson") != lesson:
                    break
        page.goto("/")
        ready(page)
        print("\nWatch")
        page.get_by_test_id("viewport").focus()
        for number, sentence in enumerate(speech(page, session, "ArrowRight", STEPS)):
            print(f"{number:3} {sentence}", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
