// What is opened beside a view: a memory, an entity, a fact, an entry of the journal, or the words that were said.
import { useEffect, useRef } from "preact/hooks";
import { go } from "../address";
import { Icon } from "../parts/icon";
import { EdgePanel } from "./edge";
import { EntityPanel } from "./entity";
import { EntryPanel } from "./entry";
import { MemoryPanel } from "./memory";
import { SourcePanel } from "./source";

const SHOWS: Record<string, (props: { id: string }) => preact.JSX.Element> = {
  memory: MemoryPanel,
  entity: EntityPanel,
  edge: EdgePanel,
  entry: EntryPanel,
  source: SourcePanel,
};

export function Panel({ sel }: { sel: string }) {
  const [kind = "", id = ""] = [sel.slice(0, sel.indexOf(":")), sel.slice(sel.indexOf(":") + 1)];
  const box = useRef<HTMLElement>(null);
  const close = () => go({ sel: null });
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    box.current?.focus({ preventScroll: true });
    box.current?.scrollTo(0, 0);
    return () => {
      if (before?.isConnected) before.focus({ preventScroll: true });
    };
  }, [sel]);
  const Shown = SHOWS[kind];
  return (
    <aside
      class="panel"
      ref={box}
      tabIndex={-1}
      aria-label={`The ${kind} that was opened`}
      onKeyDown={(event) => {
        if (event.key === "Escape" && !(event.target instanceof HTMLInputElement)) close();
      }}
    >
      <button class="quiet panel-close" type="button" aria-label="Close" onClick={close}>
        <Icon name="close" />
      </button>
      {Shown ? <Shown id={id} key={sel} /> : <p class="nothing">There is nothing of that kind.</p>}
    </aside>
  );
}
