"""What an experiment says: results, predictions, history; and plans and simulations before there is one."""
