export function Plane() { return null; }
