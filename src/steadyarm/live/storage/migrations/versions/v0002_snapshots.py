"""Snapshots, from which a restart goes on without a replay, and a row that shows whether one can write."""

import sqlalchemy as sql
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create both tables."""
    op.create_table(
        "snapshots",
        sql.Column("experiment", sql.Integer, sql.ForeignKey("experiments.id"), primary_key=True),
        sql.Column("seq", sql.BigInteger, nullable=False),
        sql.Column("hash", sql.Text, nullable=False),
        sql.Column("state", sql.Text, nullable=False),
        sql.Column("digest", sql.Text, nullable=False),
    )
    op.create_table(
        "probe", sql.Column("id", sql.Integer, primary_key=True), sql.Column("at", sql.Text, nullable=False)
    )
    op.execute("INSERT INTO probe (id, at) VALUES (1, '')")


def downgrade() -> None:
    """Drop both; they can be rebuilt from the journal."""
    op.drop_table("probe")
    op.drop_table("snapshots")
