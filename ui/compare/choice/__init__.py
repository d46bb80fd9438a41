"""The choice of lanes: `lanes` reads their slugs, `lane_state` stores them, `lane_files` adds tokenizers from files."""
