"""A report in Chromium, opened from disk: it plays and saves its files, asks for nothing, and leaves the keys alone."""

import csv
import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import bpe
from bpe.comparison.learned import first_divergence
from command_line.commands import main
from film.report import FORMAT
from tests.browser.chromium import grid, visit
from tests.material.texts import source

HOSTILE = "</script><img src=x onerror=alert(1)>"


@pytest.mark.slow
def test_a_report_from_disk_plays_saves_its_files_and_asks_for_nothing(
    chromium: Browser, tmp_path: Path
) -> None:
    texts = [tmp_path / f"{HOSTILE.replace('/', '')}.txt", tmp_path / "held_out.txt"]
    texts[0].write_text(f"{HOSTILE} {source()[:3_000]}", "utf-8")
    texts[1].write_text(source()[20_000:26_000], "utf-8")
    report = tmp_path / "report.html"
    command = ["compare", str(texts[0]), "--lanes", "first,last", "--held-out", str(texts[1])]
    assert main([*command, "--merges", "40", "--draws", "2", "-o", str(report)]) == 0
    traces = [
        bpe.train(texts[0].read_text("utf-8"), "bytes-gpt2", rule, merges=40) for rule in ("first", "last")
    ]
    divergence = first_divergence(traces)
    assert divergence
    first = str(divergence.rank)  # the film begins there
    heard: list[str] = []
    for width, theme in ((1280, "light"), (390, "dark")):
        context = chromium.new_context(
            viewport={"width": width, "height": 720}, color_scheme="dark" if theme == "dark" else "light"
        )
        page = context.new_page()
        page.on("console", lambda message: heard.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: heard.append(f"exception: {error}"))
        page.on("request", lambda request: heard.append(request.url))
        page.goto(report.as_uri())
        root = grid(page)
        expect(root).to_have_attribute("data-theme", theme)
        expect(page.locator(".kind")).to_contain_text("<img src=x onerror=alert(1)>.txt")
        assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth"), width
        page.keyboard.press("End")  # scrolls the page: nobody has been in the film yet
        page.wait_for_function("() => window.scrollY > 0")
        expect(root).to_have_attribute("data-step", first)
        root.click()
        page.keyboard.press("End")
        expect(root).to_have_attribute("data-step", "40")
        for name in ("comparison.json", "comparison.csv"):
            with page.expect_download() as saved:
                page.locator(f'button[data-file="{name}"]').click()
            assert saved.value.suggested_filename == name
            content = Path(saved.value.path()).read_text("utf-8-sig")
            if name.endswith("json"):
                assert json.loads(content)["format"] == FORMAT
            else:
                assert content.startswith('"comparison","answer"')
        context.close()
    own = report.as_uri()
    assert [line for line in heard if line.partition("#")[0] != own and not line.startswith("blob:")] == []


@pytest.mark.slow
def test_compare_saves_its_report_in_every_format(shared_page: Page, tmp_path: Path) -> None:
    page = shared_page
    visit(page, "/compare")
    answer = page.locator(".st-key-verdict h2")
    expect(answer).not_to_have_text("Does it matter?")  # it is measured while the page is drawn
    page.get_by_role("button", name="Save report").click()
    saved = {}
    for ending in ("html", "csv", "json"):
        with page.expect_download() as download:
            page.locator(f".st-key-save_report_{ending} button").click()
        assert download.value.suggested_filename == f"report.{ending}"
        saved[ending] = Path(download.value.path()).read_text("utf-8-sig")
    report = json.loads(saved["json"])
    expect(answer).to_have_text(report["verdict"]["headline"])
    assert report["manifest"]["training_texts"][0]["sha256"] in saved["html"]
    assert report["verdict"]["headline"] in next(csv.reader(saved["csv"].splitlines()[1:]))
    assert len(report["tables"]["merges"]["rows"]) == int(grid(page).get_attribute("data-steps") or 0)
