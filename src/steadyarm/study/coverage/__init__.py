"""How often nominal intervals hold the arms' means after adaptive collection."""
