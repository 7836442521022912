"""How turnfinder is made: `sources` (texts), `questions` (made of them), `pack`, `train`, `export`, `compare`."""
