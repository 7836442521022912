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

/** What is said to have begun before this began nobody knows when. */
export const BEGINNING = "0002";

/** Since when, or from when to when, something held. */
export function held(from: string | null, until: string | null): string {
  if (from === null || from < BEGINNING) return until === null ? "since nobody knows when" : `until ${day(until)}`;
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

const SHORT = 90;

/** The beginning of it, up to a word's end. */
export function shortened(text: string): string {
  return text.length <= SHORT ? text : `${text.slice(0, SHORT).replace(/\s+\S*$/, "")} …`;
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

/** What is less than likely is no more than a guess. */
export function doubt(confidence: number): string | null {
  return confidence < 0.5 ? `perhaps, ${share(confidence)}` : null;
}

export function share(part: number): string {
  return `${Math.round(part * 100)} %`;
}

export const LINKS: Record<string, [along: string, against: string]> = {
  supersedes: ["Took the place of", "Was replaced by"],
  contradicts: ["Contradicts", "Contradicts"],
  derived_from: ["Was made from", "Was used to make"],
  related_to: ["Is related to", "Is related to"],
  extends: ["Adds to", "Was added to by"],
  causes: ["Brought about", "Was brought about by"],
  supports: ["Supports", "Is supported by"],
  has_decision: ["Led to the decision", "Was decided in"],
  about_entity: ["Mentions", "Is mentioned in"],
};

const TIES = Object.values(LINKS).flat().map((one) => one.toLowerCase());
const IS_TIE = new RegExp(`^((“.*”|something forgotten) )?(${TIES.join("|")}) `, "s");
const SINCE = / (from [^“”]*|until [^“”]*|since an unknown time)$/;

/** The server's words about a change, as a person would say them: relations in small letters, times that people read, and
 * which fact ended or holds again. */
export function readable(what: string): string {
  const days = what.replace(/(\d{4}-\d{2}-\d{2})T[\d:.]+Z/g, (_, date) => day(`${date}T00:00:00Z`));
  const ended = /^(?:(.+): )?closed at (.*)$/s.exec(days);
  if (ended) return ended[1] ? `${quoted(ended[1])} ended on ${ended[2]}` : `Ended on ${ended[2]}`;
  const again = /^(?:(.+): )?reopened(?:, ending (.*))?$/s.exec(days);
  if (again) return `${again[1] ? quoted(again[1]) : "It"} holds again${again[2] ? `, until ${again[2]}` : ""}`;
  return spoken(small(IS_TIE.test(days) ? days.replace(SINCE, "") : days));
}

function quoted(fact: string): string {
  return fact.includes("“") ? spoken(small(fact)) : `“${small(fact)}”`;
}

/** LIVES_IN as "lives in". Words that shout inside what was said stay as they are. */
function small(text: string): string {
  return text.replace(text.includes("“") ? /\b[A-Z]+(_[A-Z]+)+\b/g : /\b[A-Z]{3,}(_[A-Z]+)*\b/g, relation);
}
