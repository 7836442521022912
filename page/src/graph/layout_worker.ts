// Where do very many nodes lie? Reckoned beside the page, so that nobody waits for it: rounds on plain numbers, and now and
// then word of where everything is by now.
import iterate from "graphology-layout-forceatlas2/iterate";
import { NUMBERS_A_NODE, type Asked, type Places } from "./places";

/** The first word comes soon, each further one after three times as long: to draw so many anew takes time too. */
const FIRST_MILLISECONDS = 800;
const TIMES = 3;
const scope = self as unknown as { onmessage(event: MessageEvent<Asked>): void; postMessage(told: Places, hand: Transferable[]): void };

scope.onmessage = ({ data: { nodes, edges, settings, rounds, milliseconds } }) => {
  const end = performance.now() + milliseconds;
  let wait = FIRST_MILLISECONDS;
  let next = performance.now() + wait;
  for (let round = 1; ; round += 1) {
    iterate(settings, nodes, edges);
    const now = performance.now();
    const settled = round >= rounds || now >= end;
    if (settled || now >= next) {
      const places = new Float32Array((nodes.length / NUMBERS_A_NODE) * 2);
      for (let at = 0, from = 0; at < places.length; at += 2, from += NUMBERS_A_NODE) {
        places[at] = nodes[from]!;
        places[at + 1] = nodes[from + 1]!;
      }
      scope.postMessage({ places, rounds: round, settled }, [places.buffer]);
      wait *= TIMES;
      next = now + wait;
    }
    if (settled) return;
  }
};
