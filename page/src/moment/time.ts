// How exact is a time? The server counts microseconds, which a Date cannot: here a time is such a count, and its text has
// six places, so that a hand put on a change stands on it and not a breath before.

export function micros(text: string): number {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? "";
  const whole = Date.parse(text.replace(/\.\d+/, ""));
  return whole * 1000 + Number(fraction.padEnd(6, "0").slice(0, 6) || "0");
}

export function text(at: number): string {
  const seconds = Math.floor(at / 1_000_000);
  const rest = Math.round(at - seconds * 1_000_000);
  const base = new Date(seconds * 1000).toISOString().slice(0, 19);
  return rest ? `${base}.${String(rest).padStart(6, "0")}Z` : `${base}Z`;
}

export const now = () => Date.now() * 1000;
export const DAY = 86_400_000_000;
