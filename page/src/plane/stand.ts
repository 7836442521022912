// Where do the two hands stand, and is something believed to hold there?
import { micros } from "../moment/time";
import type { Belief } from "../types";

export interface Stand {
  valid: number;
  known: number;
}

export function holds(one: Belief, stand: Stand): boolean {
  return (
    micros(one.known_from) <= stand.known &&
    (one.known_until === null || micros(one.known_until) > stand.known) &&
    micros(one.valid_from) <= stand.valid &&
    (one.valid_until === null || micros(one.valid_until) > stand.valid)
  );
}
