// Settings: what the space is for and decides for itself, keys that open the server, and who is told of what happens.
import { useState } from "preact/hooks";
import { usePlace } from "../address";
import { ask, askStore, useAnswer } from "../api";
import { done } from "../deeds";
import { Head, Waiting } from "../parts/small";
import { day, spoken } from "../words";
import { useMay } from "../who";

export function Settings() {
  const may = useMay();
  return (
    <>
      <Head title="Settings" about="What this space decides for itself, and who may come in." />
      <About />
      {may.admin && <Own />}
      {may.admin && may.all && (
        <>
          <Keys />
          <Hooks />
        </>
      )}
      {!may.admin && <p class="note">Settings, keys and webhooks take a key that may admin.</p>}
    </>
  );
}

interface Described {
  description: string | null;
}

function About() {
  const may = useMay();
  const { space } = usePlace();
  const about = useAnswer<Described>("about", {});
  const [typed, setTyped] = useState<string | null>(null);
  const value = typed ?? about.value?.description ?? "";
  return (
    <section class="setting">
      <h2>{space}</h2>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          const before = about.value?.description ?? undefined;
          void done("Described", () => ask("describe", { description: value }), () => () => ask("describe", { description: before })).then(() => setTyped(null));
        }}
      >
        <label class="choice grow">
          <span>What it is for</span>
          <input value={value} readOnly={!may.write} placeholder="Nobody has said" onInput={(event) => setTyped(event.currentTarget.value)} />
        </label>
        {may.write && (
          <button type="submit" disabled={typed === null}>
            Keep
          </button>
        )}
      </form>
    </section>
  );
}

function Own() {
  const settings = useAnswer<Record<string, unknown>>("settings", {});
  return (
    <section class="setting">
      <h2>Its own settings</h2>
      <Waiting of={settings}>
        {(value) => (
          <div class="own-settings">
            {Object.entries(value)
              .filter(([name]) => name !== "about")
              .map(([name, one]) => (
                <OneSetting key={name} name={name} value={one} />
              ))}
          </div>
        )}
      </Waiting>
    </section>
  );
}

function OneSetting({ name, value }: { name: string; value: unknown }) {
  const before = JSON.stringify(value);
  const [typed, setTyped] = useState<string | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const shown = typed ?? before;
  const flag = typeof value === "boolean";

  function set(next: unknown) {
    setTrouble(null);
    void done(`${spoken(name)} changed`, () => ask("settings", { changes: { [name]: next } }), () => () => ask("settings", { changes: { [name]: value } })).then((result) => result && setTyped(null));
  }

  return (
    <form
      class="one-setting"
      onSubmit={(event) => {
        event.preventDefault();
        try {
          set(JSON.parse(shown));
        } catch {
          setTrouble("This is not JSON.");
        }
      }}
    >
      <label for={`setting-${name}`}>{spoken(name)}</label>
      {flag ? (
        <input id={`setting-${name}`} type="checkbox" checked={value} onChange={(event) => set(event.currentTarget.checked)} />
      ) : (
        <textarea id={`setting-${name}`} rows={Math.min(4, Math.ceil(shown.length / 64))} spellcheck={false} value={shown} onInput={(event) => setTyped(event.currentTarget.value)} />
      )}
      {typed !== null && typed !== before && (
        <div class="buttons">
          <button type="submit">Change</button>
          <button class="quiet" type="button" onClick={() => setTyped(null)}>
            As it was
          </button>
        </div>
      )}
      {trouble && <p class="trouble">{trouble}</p>}
    </form>
  );
}

interface Key {
  id: string;
  name: string;
  role: string;
  spaces: string[];
  created_at: string;
  revoked_at: string | null;
}

function Keys() {
  const may = useMay();
  const keys = useAnswer<Key[]>("key_list", {}, askStore);
  return (
    <section class="setting">
      <h2>Keys</h2>
      {may.byKey ? <NewKey /> : <FirstKey />}
      <Waiting of={keys} nothing={(value) => (value.length ? null : "There are none.")}>
        {(value) => (
          <ul class="plain kept">
            {value.map((one) => (
              <li key={one.id}>
                <span>
                  <strong>{one.name}</strong> may {one.role} in {one.spaces.join(", ")} <span class="about">since {day(one.created_at)}</span>
                </span>
                {one.revoked_at ? (
                  <span class="about">revoked {day(one.revoked_at)}</span>
                ) : (
                  <button type="button" onClick={() => void done("Revoked: it opens nothing any more", () => askStore("key_revoke", { id: one.id }))}>
                    Revoke
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Waiting>
    </section>
  );
}

/** The server refuses to make it for anybody: whoever came first would lock out all others. */
function FirstKey() {
  return (
    <div class="first-key">
      <p>This server has no keys: whoever reaches it may do everything. The first key cannot be made here, only on the machine on which the server runs:</p>
      <pre>
        <code>treering keys create --name NAME --role admin --space '*'</code>
      </pre>
      <p class="about">
        Add <code>--url STORE</code> if the server was started with one. The key is shown once. From then on nobody comes in without a key; this page asks for yours, and makes further ones with it.
      </p>
    </div>
  );
}

function NewKey() {
  const { space } = usePlace();
  const [name, setName] = useState("");
  const [role, setRole] = useState("read");
  const [opens, setOpens] = useState(space);
  const [made, setMade] = useState<string | null>(null);
  return (
    <>
      <p class="about">One for each person and agent, with the spaces and the role that they need.</p>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          void done<{ secret: string; key: Key }>("A key was made", () => askStore("key_create", { name: name.trim(), role, spaces: [opens] })).then((result) => {
            if (!result) return;
            setMade(result.secret);
            setName("");
          });
        }}
      >
        <label class="choice">
          <span>For whom</span>
          <input value={name} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <label class="choice">
          <span>May</span>
          <select value={role} onChange={(event) => setRole(event.currentTarget.value)}>
            {["read", "write", "admin"].map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <label class="choice">
          <span>Opens</span>
          <select value={opens} onChange={(event) => setOpens(event.currentTarget.value)}>
            <option value={space}>{space}</option>
            <option value={`${space}/*`}>{space} and all below</option>
            <option value="*">every space</option>
          </select>
        </label>
        <button type="submit" disabled={!name.trim()}>
          Make a key
        </button>
      </form>
      {made && (
        <div class="secret" role="status">
          <p>This is shown once. Copy it now:</p>
          <code>{made}</code>
          <button class="quiet" type="button" onClick={() => setMade(null)}>
            I have it
          </button>
        </div>
      )}
    </>
  );
}

interface Hook {
  id: string;
  url: string;
  spaces: string[];
  events: string[];
  failing: string | null;
}

function Hooks() {
  const hooks = useAnswer<Hook[]>("webhook_list", {}, askStore);
  const [address, setAddress] = useState("");
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <section class="setting">
      <h2>Webhooks</h2>
      <p class="about">Addresses that are told which ids changed, never what is said.</p>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          void done<{ secret?: string }>("It will be told", () => askStore("webhook_add", { address: address.trim() })).then((result) => {
            if (!result) return;
            setSecret(result.secret ?? null);
            setAddress("");
          });
        }}
      >
        <label class="choice grow">
          <span>Address</span>
          <input type="url" value={address} placeholder="https://…" onInput={(event) => setAddress(event.currentTarget.value)} />
        </label>
        <button type="submit" disabled={!address.trim()}>
          Add
        </button>
      </form>
      {secret && (
        <div class="secret" role="status">
          <p>It signs with this secret, shown once:</p>
          <code>{secret}</code>
        </div>
      )}
      <Waiting of={hooks} nothing={(value) => (value.length ? null : "Nobody is told.")}>
        {(value) => (
          <ul class="plain kept">
            {value.map((one) => (
              <li key={one.id}>
                <span>
                  {one.url} <span class="about">{one.spaces.join(", ")}</span> {one.failing && <span class="trouble">{one.failing}</span>}
                </span>
                <button type="button" onClick={() => void done("It is told nothing more", () => askStore("webhook_remove", { id: one.id }))}>
                  Remove
                </button>
              </li>
            ))}
          </ul>
        )}
      </Waiting>
    </section>
  );
}
