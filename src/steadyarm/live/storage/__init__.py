"""Where journals are: a database, its one writer, and the way in and out of it."""
