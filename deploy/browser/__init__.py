"""A page that trains in the browser alone, with the core and the film in Pyodide. `build` makes it."""
