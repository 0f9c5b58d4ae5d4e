"""The durable experiment: journal, service, web page (extra `live`)."""
