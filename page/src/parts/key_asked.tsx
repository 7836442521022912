// Where a server has keys: which one is yours?
import { useState } from "preact/hooks";

export function KeyAsked({ why, give }: { why: string; give(written: string, keep: boolean): void }) {
  const [written, setWritten] = useState("");
  const [keep, setKeep] = useState(false);
  return (
    <main class="key-asked">
      <h1>Treering</h1>
      <p>{why}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (written.trim()) give(written.trim(), keep);
        }}
      >
        <label>
          <span>Your key</span>
          <input type="password" value={written} autocomplete="off" placeholder="tr_…" onInput={(event) => setWritten(event.currentTarget.value)} />
        </label>
        <label class="tick">
          <input type="checkbox" checked={keep} onChange={(event) => setKeep(event.currentTarget.checked)} />
          Keep it until this tab is closed
        </label>
        <button class="first" type="submit">
          Open
        </button>
      </form>
      <p class="about">
        It is kept in the memory of this page and sent to this server only. Who has an admin's key for every space makes one under Settings; on the machine itself{" "}
        <code>treering keys create --name NAME --space SPACE</code> does.
      </p>
    </main>
  );
}
