"""Work of the server: in threads (`jobs`), with results in a `byte_cache`, within the `limits` of the host."""
