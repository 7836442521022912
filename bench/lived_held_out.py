"""Another project's sessions, a desktop application in TypeScript, to see whether what was learned on the first history
holds on one that nothing was made for. Judged once; figures of it are told apart."""

from __future__ import annotations

SESSIONS: list[list[str]] = [
    ["We're building a note app with Electron and React. Let's use yarn.", "> Set up the workspace.", "$ yarn install #0"],
    ["Please always use functional components in this project.", "> Sure.", "$ yarn test #0"],
    ["We decided to store notes in IndexedDB.", "> Implemented a wrapper.", "> Still missing: full-text search."],
    ["From now on, pnpm instead of yarn.", "$ pnpm install #0", "$ pnpm test #0"],
    ["could we use Redux?", "> We could.", "let's go with Redux then", "$ pnpm test #0"],
    ["Never use default exports, our rule is named exports only.", "$ pnpm lint #0"],
    ["Sync: the server will speak GraphQL.", "Let's use GraphQL for the sync API.", "> Added a client.", "$ pnpm test #0"],
    ["The app crashes on Windows when the path has spaces", "> The root cause was an unquoted argument.", "$ pnpm test #0"],
    ["Redux is overkill. Switch to Zustand.", "> Replaced the store.", "$ pnpm test #0"],
    ["Full-text search is done, I merged it.", "Releases go out every Thursday, always.", "> Noted."],
    ["We're going back to plain REST for the sync, GraphQL was too much.", "> Rewrote the client.", "$ pnpm test #0",
     "> Follow-up: remove the old schema file."],
    ["Use vitest instead of jest.", "$ pnpm test #0", "Every new feature must always come with a screenshot in the PR."],
    ["Electron is too heavy, we're moving to Tauri.", "> Ported the main process.", "$ pnpm tauri build #0",
     "> Not done yet: code signing on macOS."],
    ["IndexedDB loses data on some machines, let's store notes in SQLite.", "> Migrated.", "$ pnpm test #0"],
    ["the old schema file is removed", "Releases move to Tuesdays from now on.", "$ pnpm lint #0"],
]  # fmt: skip
NEEDED: dict[str, str] = {
    "functional components": r"functional components",
    "pnpm": r"pnpm instead of yarn",
    "named exports": r"default exports",
    "zustand": r"Zustand",
    "rest": r"plain REST",
    "vitest": r"vitest instead",
    "screenshot": r"screenshot",
    "tauri": r"moving to Tauri",
    "sqlite": r"notes in SQLite",
    "tuesdays": r"Tuesdays",
    "test": r"test: pnpm test",
    "lint": r"lint: pnpm lint",
    "install": r"install: pnpm install",
    "open: signing": r"code signing",
}
OVER: tuple[str, ...] = (
    r"use yarn|yarn install|yarn test",
    r"notes in IndexedDB\.",
    r"Redux then",
    r"use GraphQL",
    r"Thursday",
    r"full-text search",
    r"old schema file",
    r"with Electron",
)
