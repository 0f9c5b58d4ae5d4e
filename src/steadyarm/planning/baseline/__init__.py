"""Plans from what a team knows: a baseline, the designs side by side, what they lose and find, and which to take."""
