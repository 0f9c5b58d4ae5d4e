"""The command line: one command, one file; it translates and decides nothing."""
