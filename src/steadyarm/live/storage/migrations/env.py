"""Runs migrations on the connection that `steadyarm.live.storage.store` hands over."""

from alembic import context

if hasattr(context, "config"):  # it has one only while Alembic runs this file
    context.configure(connection=context.config.attributes["connection"], transaction_per_migration=True)
    with context.begin_transaction():
        context.run_migrations()
