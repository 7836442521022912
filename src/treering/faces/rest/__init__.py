"""The door over HTTP: `treering serve`."""
