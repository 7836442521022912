export function Story() { return null; }
