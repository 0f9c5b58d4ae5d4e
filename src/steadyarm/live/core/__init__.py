"""An experiment and its journal: what is decided and what is written down. No HTTP, no SQL."""
