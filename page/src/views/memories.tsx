export function Memories() { return null; }
