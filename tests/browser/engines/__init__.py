"""The app in other browsers than Chromium: Firefox and WebKitGTK, as the system has them."""
