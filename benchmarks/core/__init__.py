"""The core: training, encoding and counting, beside other libraries and beside itself at former commits."""
