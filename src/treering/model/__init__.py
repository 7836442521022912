"""WHAT IS A FACT? Frozen values, checked when they are made; no input or output happens here."""
