"""What holds for every string on the screen."""

import ast

from tests import ROOT


def test_icons_are_material_symbols_beside_a_text() -> None:
    """Emoji are empty boxes where no colour font is installed."""
    for path in (*(ROOT / "ui").rglob("*.py"), *(ROOT / "pages").glob("*.py")):
        source = path.read_text("utf-8")
        for node in ast.walk(ast.parse(source)) if "icon=" in source else ():
            if isinstance(node, ast.keyword) and node.arg == "icon" and isinstance(node.value, ast.Constant):
                assert str(node.value.value).startswith(":material/"), f"{path}:{node.value.lineno}"
