"""How worst-case regret and instability grow with the horizon and the number of arms."""
