export function Tell() { return null; }
