"""The service: what is asked over HTTP, by whom, and how long it may take."""
