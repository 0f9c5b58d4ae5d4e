"""What every picture shares: the style, labels, error bars; and the small pictures."""
