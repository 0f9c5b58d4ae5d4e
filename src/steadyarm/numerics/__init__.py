"""How numbers are computed: functions compiled alike, the same bits on every machine, many runs side by side."""
