"""WHO IS TOLD WHAT HAPPENS? Webhooks: kept, delivered in order, signed, and retried."""
