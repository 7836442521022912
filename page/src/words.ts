// How is it said to a person? Times, windows, relations and kinds of change in plain words.

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** A day as "5 May 2025", with the time of day where it is not midnight and `exact` is asked for. Times are UTC. */
export function day(at: string | number, exact = false): string {
  const when = new Date(at);
  const date = `${when.getUTCDate()} ${MONTHS[when.getUTCMonth()]} ${when.getUTCFullYear()}`;
  const time = when.toISOString().slice(11, 16);
  return exact && time !== "00:00" ? `${date}, ${time}` : date;
}

export function month(at: number): string {
  const when = new Date(at);
  return `${MONTHS[when.getUTCMonth()]} ${when.getUTCFullYear()}`;
}

export function year(at: string): string {
  return at.slice(0, 4);
}

/** Since when, or from when to when, something held. */
export function held(from: string, until: string | null): string {
  if (until === null) return `since ${day(from)}`;
  return from === until ? "never held" : `${day(from)} → ${day(until)}`;
}

/** WORKS_FOR as "works for". */
export function relation(name: string): string {
  return name.toLowerCase().replaceAll("_", " ");
}

export function spoken(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

export function bytes(size: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let place = 0;
  while (size >= 1000 && place < units.length - 1) {
    size /= 1000;
    place += 1;
  }
  return `${size.toFixed(place && size < 10 ? 1 : 0)} ${units[place]}`;
}

export function share(part: number): string {
  return `${Math.round(part * 100)} %`;
}
