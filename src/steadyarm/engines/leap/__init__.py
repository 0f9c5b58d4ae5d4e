"""The engine that looks only where the level can be crossed."""
