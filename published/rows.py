"""The registry of published tokenizers. To add one, add a row and run `python -m published.fetch`."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Source:
    """A file of a package in a public registry."""

    registry: str  # "npm" or "PyPI"
    package: str
    version: str
    path: str  # inside the package
    sha256: str
    licence: str
    licence_path: str  # the licence's text inside the package
    licence_file: str  # the same text in `licences/`


@dataclass(frozen=True, slots=True)
class Published:
    """One published tokenizer."""

    slug: str
    title: str
    name: str  # short, for chips and lanes
    maker: str
    models: str  # which models use it, as people know them
    years: str  # when these were released
    merges: int  # number of them, so that it can be told before the file is opened
    source: Source
    sha256: str  # of the file in `files/`

    @property
    def path(self) -> Path:
        """The file."""
        return _FOLDER / "files" / f"{self.slug}.xz"

    @property
    def licence_path(self) -> Path:
        """The file with the licence's text."""
        return _FOLDER / "licences" / self.source.licence_file


def _gpt_tokenizer(path: str, sha256: str) -> Source:
    return Source(
        "npm", "gpt-tokenizer", "4.0.0", f"package/data/{path}", sha256, "MIT", "package/LICENSE", "gpt-tokenizer.txt"
    )  # fmt: skip


def _mistral_common(path: str, sha256: str) -> Source:
    return Source(
        "PyPI",
        "mistral-common",
        "1.13.1",
        f"mistral_common/data/{path}",
        sha256,
        "Apache-2.0",
        "mistral_common-1.13.1.dist-info/licenses/LICENSE",
        "mistral-common.txt",
    )


_ROWS = (  # as menus list them
    Published(
        slug="gpt-4o",
        title="GPT-4o and later (o200k_base)",
        name="GPT-4o",
        maker="OpenAI",
        models="GPT-4o, o1, GPT-4.1, GPT-5",
        years="2024–2025",
        merges=199_742,
        source=_gpt_tokenizer(
            "o200k_base.tiktoken", "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
        ),
        sha256="e0347075556ba5261b675eccb67dba8d06229d86f48757ea7b8d13bd832cc99b",
    ),
    Published(
        slug="gpt-4",
        title="GPT-4 (cl100k_base)",
        name="GPT-4",
        maker="OpenAI",
        models="GPT-3.5, GPT-4",
        years="2022–2023",
        merges=100_000,
        source=_gpt_tokenizer(
            "cl100k_base.tiktoken", "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
        ),
        sha256="2c11100c9a6803198994a6d9c7cadef422e170b2aadda871b91e86db349010d8",
    ),
    Published(
        slug="gpt-2",
        title="GPT-2 (r50k_base)",
        name="GPT-2",
        maker="OpenAI",
        models="GPT-2, GPT-3",
        years="2019–2020",
        merges=50_000,
        source=_gpt_tokenizer(
            "r50k_base.tiktoken", "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930"
        ),
        sha256="126ae7edd7d9ec6646dd24d58e7dbc5c7674e2778564d6434a95f9f177622992",
    ),
    Published(
        slug="qwen",
        title="Qwen",
        name="Qwen",
        maker="Alibaba Cloud",
        models="Qwen, Qwen1.5",
        years="2023–2024",
        merges=151_387,
        source=Source(
            "PyPI",
            "dashscope",
            "2.0.2",
            "dashscope/resources/qwen.tiktoken",
            "b2b1b8dfb5cc5f024bafc373121c6aba3f66f9a5a0269e243470a1de16a33186",
            "Apache-2.0",
            "dashscope-2.0.2.dist-info/licenses/LICENSE",
            "dashscope.txt",
        ),
        sha256="cc0d1ec7e2f98bd935a7b687487ce5d9714323a2dbb2fab8755c98a82ee6c220",
    ),
    Published(
        slug="deepseek",
        title="DeepSeek",
        name="DeepSeek",
        maker="DeepSeek",
        models="DeepSeek-V3, DeepSeek-R1",
        years="2024–2025",
        merges=127_741,
        source=Source(
            "PyPI",
            "litellm",
            "1.109.1",
            "litellm/litellm_core_utils/tokenizers/deepseek_tokenizer.json",
            "4607b3d1929c5ca263a81d7153c6d6ecdbc71c9e933c0fb2df2abf181bf6df61",
            "MIT",
            "litellm/litellm_core_utils/tokenizers/deepseek_tokenizer_LICENSE",
            "deepseek.txt",
        ),
        sha256="fc98f383d44d11d4ba1f2a33b40473b547ef329d47d5854ec8f51d60b5a518d1",
    ),
    Published(
        slug="mistral",
        title="Mistral (Tekken)",
        name="Mistral",
        maker="Mistral AI",
        models="Mistral NeMo, Ministral, Pixtral",
        years="2024",
        merges=129_816,
        source=_mistral_common(
            "tekken_240911.json", "1948e2d48b0e7377f1bb5f1210f1ae5f984934e75713fc07e2452729b8365316"
        ),
        sha256="db6782cf051a9fdc7f946c1fb3df322b36107450c53691cfeb9c285b3924dcf7",
    ),
    Published(
        slug="mistral-7b",
        title="Mistral 7B (SentencePiece)",
        name="Mistral 7B",
        maker="Mistral AI",
        models="Mistral 7B, Mixtral 8x7B",
        years="2023",
        merges=28_446,
        source=_mistral_common(
            "tokenizer.model.v1", "dadfd56d766715c61d2ef780a525ab43b8e6da4de6865bda3d95fdef5e134055"
        ),
        sha256="ae3ecdd82b44aeb5d7bb8d4c9b0b17be28a6cc6962999275f85d1531590689e9",
    ),
)
PUBLISHED: Mapping[str, Published] = MappingProxyType({row.slug: row for row in _ROWS})
