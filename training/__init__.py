"""HOW WERE THE MODELS MADE? Data, examples made of it, training, export. Nothing here is needed to run Treering."""
