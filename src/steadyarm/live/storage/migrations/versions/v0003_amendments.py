"""A unit may be amended more than once; every other kind of entry stands once a unit, as before."""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the index anew, under its name."""
    op.drop_index("journal_by_unit", "journal")
    op.execute(
        "CREATE UNIQUE INDEX journal_by_unit ON journal "
        "(experiment, unit, kind, (CASE kind WHEN 'amended' THEN seq ELSE 0 END))"
    )


def downgrade() -> None:
    """Refuse: there may be amendments."""
    raise NotImplementedError("amendments cannot be taken back")
