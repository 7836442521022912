// Who looks at the page, and what may they do? Buttons that a role does not open are not shown; the server decides in any
// case.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Me } from "./types";

const RANK = { read: 0, write: 1, admin: 2 };
export const Who = createContext<Me | null>(null);

export function useMay(): { write: boolean; admin: boolean; all: boolean; byKey: boolean } {
  const me = useContext(Who);
  const rank = me === null ? -1 : RANK[me.role];
  const all = me?.spaces.includes("*") ?? false;
  return { write: rank >= RANK.write, admin: rank >= RANK.admin, all, byKey: me?.by_key ?? false };
}
