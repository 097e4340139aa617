"""How are real entries made false, kind by kind, on purpose and by rule?"""
