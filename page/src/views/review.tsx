export function Review() { return null; }
