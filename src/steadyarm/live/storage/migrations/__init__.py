"""The versions of the store's tables, oldest first; `serve` brings an old store up to date."""
