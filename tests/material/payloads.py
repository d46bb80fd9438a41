"""Texts that would run or fetch something if a page read them as markup, a formula or a directive."""

RUN = "window.ran=1"
TAGS = (
    "<img data-payload src=x onerror={run}>",
    "<svg data-payload onload={run}></svg>",
    "<script data-payload>{run}</script>",
    "<iframe data-payload srcdoc='<script>parent.{run}</script>'></iframe>",
    "<a data-payload href='javascript:{run}'>x</a>",
    "<details data-payload open ontoggle={run}>x</details>",
    "<input data-payload autofocus onfocus={run}>",
    "<style data-payload>*{{display:none}}</style>",
    "<body data-payload onload={run}>",
    "<math><mi data-payload xlink:href='javascript:{run}'>x</mi></math>",
    "<video data-payload><source onerror={run}></video>",
    "<link data-payload rel=stylesheet href=//evil.example/x.css>",
    "<object data-payload data=//evil.example/x></object>",
    "<template data-payload><img src=x onerror={run}></template>",
)
BEFORE = ("", "</w>", '">', "'>", "</textarea>", "-->")
MARKDOWN = (
    "![x](//evil.example/x.png)",
    "[x](javascript:window.ran=1)",
    "<https://evil.example>",
    "https://evil.example/x",
    "www.evil.example",
    ":red[x] :smile: :material/home:",
    "$\\href{javascript:window.ran=1}{x}$",
    "`x` **x** ~~x~~ # x",
    "{{constructor.constructor('window.ran=1')()}}",
    "${window.ran=1}",
)
FORMULAS = tuple(
    f"{before}{sign}{body}"
    for before in ("", " ", "'", "''")
    for sign in ("=", "+", "-", "@", "\t=", "\r=", "\n=", "\uff1d")
    for body in ("1+1", "cmd|' /C calc'!A0")
)
MARKUP = (*(f"{before}{tag.format(run=RUN)}" for tag in TAGS for before in BEFORE), *MARKDOWN)
