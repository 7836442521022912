// What happens elsewhere? The event stream of the space, heard while both hands stand at now; at any other moment nothing
// moves under the reader.
import { useEffect } from "preact/hooks";
import { usePlace } from "./address";
import { askStore, events, spacePath, tellChanged } from "./api";
import type { SpaceInfo } from "./types";

const GATHER_MILLISECONDS = 250;
const AGAIN_MILLISECONDS = 3_000;

export function useLive(open: boolean): void {
  const { space, asOf, knownAt } = usePlace();
  const listens = open && space !== "" && asOf === null && knownAt === null;
  useEffect(() => {
    if (!listens) return;
    const giveUp = new AbortController();
    let gathered: ReturnType<typeof setTimeout> | undefined;
    const listen = async () => {
      let after: number | null = null;
      while (!giveUp.signal.aborted) {
        try {
          after ??= (await askStore<SpaceInfo[]>("spaces", { prefix: space }, giveUp.signal)).find((one) => one.name === space)?.seq ?? 0;
          for await (const one of events(`${spacePath(space)}/events?after=${after}`, giveUp.signal)) {
            if (one.event === "error") break;
            after = (JSON.parse(one.data) as { seq: number }).seq;
            clearTimeout(gathered);
            gathered = setTimeout(tellChanged, GATHER_MILLISECONDS);
          }
        } catch (error) {
          if (giveUp.signal.aborted) return;
          if ((error as { status?: number }).status === 401) return;
        }
        await new Promise((wake) => setTimeout(wake, AGAIN_MILLISECONDS));
      }
    };
    void listen();
    return () => {
      giveUp.abort();
      clearTimeout(gathered);
    };
  }, [listens, space]);
}
