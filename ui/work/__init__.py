"""Work of the server: `jobs` run in threads, in the order of `work_queue`.

Their results stay in a `byte_cache`, which measures them with `object_size`. `limits` are those of the host.
"""
