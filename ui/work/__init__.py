"""Work of the server: `jobs` run in threads, in the order of `work_queue`. `shared_work` is one for many sessions.

Their results stay in a `byte_cache`, which measures them with `object_size`. `limits` are those of the host, with
defaults from `machine_memory`. The `memory_budget` ends work that would take more memory than they allow, as
`process_memory` measures it, and `full_memory` says so where a part of a page needed it. `pattern_search`
runs the patterns of visitors in processes of their own, each a `pattern_worker`.
"""
