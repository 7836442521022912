"""What hardware do so many tenants need? A model of measured parts, and how far it is from what was measured."""
