"""Operating characteristics of a trial before it begins: what several designs would decide, and how well."""
