"""What deploy/ describes agrees with the project. tests/browser/test_hosting.py starts it."""

import base64
import fnmatch
import hashlib
import re
import subprocess
import threading
import tomllib
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
import yaml

from deploy.health import is_healthy
from deploy.try_hosting import DEPLOY, composition, container_command, container_environment
from hatch_build import FOLDERS, PACKAGE, STUDY
from tests import ROOT
from ui.gaps.allowed_hosts import hosts_of, is_host
from ui.gaps.page_addresses import _SCRIPT
from ui.trainings.limits import LIMITS, problems

DOCKERFILE = (DEPLOY / "Dockerfile").read_text("utf-8")
IGNORED = (DEPLOY / "Dockerfile.dockerignore").read_text("utf-8").splitlines()


def container_limit() -> int:
    """Return the bytes of memory that compose.yaml gives to one process of the app."""
    text = composition()["services"]["app-1"]["mem_limit"]
    return int(text[:-1]) * {"m": 2**20, "g": 2**30}[text[-1]]


def admitted(path: str) -> bool:
    """Return whether the context of a build holds a file: the last pattern that fits decides."""
    inside = True
    for line in IGNORED:
        pattern, admits = line.removeprefix("!"), line.startswith("!")
        parts = path.split("/")
        above = ["/".join(parts[: n + 1]) for n in range(len(parts))]
        if not line.startswith("#") and any(
            fnmatch.fnmatch(one, pattern.replace("**/", "*")) for one in above
        ):
            inside = admits
    return inside


def test_the_context_of_the_image_holds_what_the_wheel_is_built_from_and_no_more() -> None:
    tracked = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    files = {path for path in tracked if admitted(path)}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    top = {"pyproject.toml", "hatch_build.py", "app.py", project["readme"], STUDY.as_posix()}
    top |= {path for path in project["license-files"] if "/" not in path}
    needed = {path for path in tracked if path in top or path.split("/")[0] in (*FOLDERS, PACKAGE)}
    assert needed <= files
    assert files - needed == {"deploy/health.py", "constraints.txt"}
    assert not admitted(".streamlit/secrets.toml")
    assert not admitted("ui/__pycache__/limits.cpython-311.pyc")


def test_the_dockerfile_copies_files_that_exist() -> None:
    sources = re.findall(r"^COPY (?!--from)(\S+) \S+$", DOCKERFILE, re.MULTILINE)
    assert sources == [".", "deploy/health.py"]
    assert all((ROOT / source).exists() for source in sources)


def test_the_image_gets_the_versions_that_the_tests_have_seen() -> None:
    (install,) = re.findall(r"^RUN (.+pip install.+)$", DOCKERFILE.replace("\\\n", ""), re.MULTILINE)
    assert {"PIP_CONSTRAINT=/source/constraints.txt", "PIP_BUILD_CONSTRAINT=/source/constraints.txt"} <= {
        *install.split()
    }


def test_every_service_of_the_composition_has_its_limits() -> None:
    for name, service in composition()["services"].items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert re.fullmatch(r"\d+[mg]", service["mem_limit"]), name
        assert 100 <= service["pids_limit"] <= 1000, name
        assert service["cpus"] == 1, name
        assert service["logging"]["options"] == {"max-size": "10m", "max-file": "3"}, name
        assert service.get("cap_add", []) == (["NET_BIND_SERVICE"] if name == "proxy" else []), name


def test_the_container_is_no_root_and_its_command_is_ours() -> None:
    user = re.search(r"^USER (\d+):(\d+)$", DOCKERFILE, re.MULTILINE)
    assert user
    assert min(map(int, user.groups())) > 0  # without one, it would be root's group
    assert container_command(8600)[1:] == ["-m", PACKAGE, "--no-browser", "--port", "8600"]


def test_the_limits_of_the_composition_are_the_defaults() -> None:
    environment = container_environment({})
    assert problems(environment) == []
    assert {limit: limit.value(environment) for limit in LIMITS} == {limit: limit.default for limit in LIMITS}
    assert {limit.variable for limit in LIMITS} <= {*environment}
    assert environment["STREAMLIT_SERVER_ALLOWED_HOSTS"] == "localhost"


def test_every_image_of_others_has_an_exact_version() -> None:
    images = re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)
    images += [service["image"] for service in composition()["services"].values() if "build" not in service]
    assert len(images) == 3
    assert [image for image in images if not re.search(r":\d+\.\d+\.\d+(-|$)", image)] == []


@pytest.mark.parametrize("file", ["deploy/compose.yaml", "deploy/compose.https.yaml", "docs/hosting.md"])
def test_every_command_that_starts_the_containers_names_the_host(file: str) -> None:
    commands = re.findall(r"^.*docker compose .* up .*$", (ROOT / file).read_text("utf-8"), re.MULTILINE)
    assert commands
    for command in commands:
        (hosts,) = re.findall(r"^[# ]*HOST_NAME=(\S+) docker", command)
        assert all(map(is_host, hosts_of([hosts]))), command


def test_the_proxy_knows_the_processes_of_the_composition() -> None:
    services = composition()["services"]
    apps = [name for name, service in services.items() if service.get("image") == "merge-by-merge"]
    assert services["proxy"]["depends_on"] == {name: {"condition": "service_healthy"} for name in apps}
    upstreams = " ".join(f"{name}:8501" for name in apps)
    assert services["proxy"]["environment"]["UPSTREAMS"] == upstreams
    assert f"{{$UPSTREAMS:{upstreams}}}" in (DEPLOY / "Caddyfile").read_text("utf-8")
    for volume in services["proxy"]["volumes"]:
        source = volume.partition(":")[0]
        assert not source.startswith(".") or (DEPLOY / source).is_file()


def test_https_changes_the_address_and_the_ports_of_the_proxy_only() -> None:
    text = (DEPLOY / "compose.https.yaml").read_text("utf-8")
    services = yaml.safe_load(text.replace("!override ", ""))["services"]
    proxy = composition()["services"]["proxy"]
    assert [*services] == ["proxy"]
    assert {*services["proxy"]} <= {*proxy}
    assert {*services["proxy"]["environment"]} <= {*proxy["environment"]}
    assert services["proxy"]["ports"] == ["80:80", "443:443"]


def test_the_memory_limit_is_a_number_of_bytes() -> None:
    assert container_limit() == 2**30


@pytest.mark.parametrize("base", ["", "class", "/class/"])
def test_the_health_of_an_app_below_any_path(base: str) -> None:
    asked: list[str] = []

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # the name that http.server calls
            asked.append(self.path)
            self.send_response(200 if len(asked) == 1 else 503)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Write nothing."""

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        answers = [is_healthy(server.server_port, base) for _ in range(2)]
        server.shutdown()
    assert answers == [True, False]
    assert asked[0] == ("/class/_stcore/health" if base else "/_stcore/health")
    assert not is_healthy(server.server_port, base)


def test_the_entry_of_community_cloud_adds_to_the_configuration_of_the_project() -> None:
    cloud = tomllib.loads((DEPLOY / "cloud" / ".streamlit" / "config.toml").read_text("utf-8"))
    own = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    assert cloud["server"]["address"] == "0.0.0.0"
    assert {*cloud["server"]} <= {*own["server"]}
    assert [*cloud] == ["server"]
    assert not Path(DEPLOY / "cloud" / "requirements.txt").exists()  # that of the project's folder counts


def test_the_policy_allows_the_line_that_the_app_adds_to_a_page() -> None:
    digest = base64.b64encode(hashlib.sha256(_SCRIPT.encode()).digest()).decode()
    assert f"'sha256-{digest}'" in (DEPLOY / "content_security_policy.caddy").read_text("utf-8")
