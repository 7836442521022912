"""How turnfinder is made: `sources` (texts), `questions` (what is asked of them), `pack`, `train`, `export`, `compare`."""
