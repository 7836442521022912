export function Health() { return null; }
