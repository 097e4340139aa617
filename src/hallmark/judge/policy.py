"""How strict is the judge?

Every number and switch that a verdict depends on, each with its reason and its range. Thresholds
were chosen on the development split only. The values here are those of the policy `default`; the
others are files (`judge.profiles`).
"""
