"""Film: a training or an encoding as data that a browser can play, and the browser's files that draw it."""
