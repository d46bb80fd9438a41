"""What is trained, and the work of the server.

A `corpus` and a `recipe` are values. `training` is what pages call: sessions that ask for the same one share it. Work
runs in threads (`jobs`), with results in a `byte_cache`, within the `limits` of the host.
"""
