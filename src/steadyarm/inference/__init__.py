"""What can be concluded after an adaptive experiment: intervals for the arms' means and for their differences."""
