"""How long a server that does not move keeps its store, on PostgreSQL.

The session that writes also holds the lock. PostgreSQL ends that session when nothing was heard from it for a while,
and the lock goes with it: a server that was paused, or cut off, cannot write any more, whatever it believes. So the
session itself is the fence, and a standby that has the lock is the only one that can write.
"""

from __future__ import annotations

from sqlalchemy.engine import Connection

HEARTBEAT_SECONDS = 1.0  # of a writer that has nothing to do

_LIMITS = {
    "idle_session_timeout": "10s",  # a process that stands still; PostgreSQL 14 or later
    "idle_in_transaction_session_timeout": "10s",
    "tcp_keepalives_idle": "2",  # a machine that is gone: seconds, and three questions a second apart
    "tcp_keepalives_interval": "1",
    "tcp_keepalives_count": "3",
    "tcp_user_timeout": "5000",
}


def limit(connection: Connection) -> None:
    """Have PostgreSQL end the session of a connection when its server is gone or stands still."""
    if connection.dialect.name == "postgresql":
        for name, value in _LIMITS.items():
            connection.exec_driver_sql(
                "SELECT set_config(name, %s, false) FROM pg_settings WHERE name = %s", (value, name)
            )
        connection.commit()


def beat(connection: Connection) -> None:
    """Show that the server moves, and see that its session is still there."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SELECT 1")
        connection.commit()
