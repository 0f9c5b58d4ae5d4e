"""The journal, which nobody may change, and the head of each experiment's chain."""

import sqlalchemy as sql
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables and the triggers that keep the journal as it is."""
    op.create_table(
        "experiments",
        sql.Column("id", sql.Integer, primary_key=True),
        sql.Column("name", sql.Text, nullable=False, unique=True),
        sql.Column("seq", sql.BigInteger, nullable=False),
        sql.Column("hash", sql.Text, nullable=False),
    )
    op.create_table(
        "journal",
        sql.Column("experiment", sql.Integer, sql.ForeignKey("experiments.id"), primary_key=True),
        sql.Column("seq", sql.BigInteger, primary_key=True),
        sql.Column("kind", sql.Text, nullable=False),
        sql.Column("unit", sql.Text),
        sql.Column("body", sql.Text, nullable=False),
        sql.Column("hash", sql.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    # Entries without a unit have NULL there, and NULLs are distinct.
    op.create_index("journal_by_unit", "journal", ["experiment", "unit", "kind"], unique=True)
    if op.get_bind().dialect.name == "sqlite":
        for action in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER journal_refuses_{action.lower()} BEFORE {action} ON journal "
                "BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END"
            )
    else:
        op.execute(
            "CREATE FUNCTION journal_is_append_only() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'the journal is append-only'; END $$"
        )
        op.execute(
            "CREATE TRIGGER journal_refuses_changes BEFORE UPDATE OR DELETE OR TRUNCATE ON journal "
            "EXECUTE FUNCTION journal_is_append_only()"
        )


def downgrade() -> None:
    """Refuse: a journal is never dropped."""
    raise NotImplementedError("a journal is never dropped")
