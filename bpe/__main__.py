"""Start the command line: `python -m bpe --help`. It is an entrance above the core, so the core does not import it."""

import runpy

BESIDE = __package__.removesuffix("bpe")  # "" in the repository, "merge_by_merge." once installed

if __name__ == "__main__":
    runpy.run_module(f"{BESIDE}command_line", run_name="__main__")
