// Builds the page into the Python package: one script and its worker, one style sheet, one document. The same sources give the same
// bytes, so that a fresh build can be compared with what is kept.
import { build } from "esbuild";
import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "..", "src", "treering", "faces", "page");
await mkdir(out, { recursive: true });
await build({
  absWorkingDir: here,
  entryPoints: { app: "src/main.tsx", layout: "src/graph/layout_worker.ts" },
  outdir: out,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  charset: "utf8",
  logLevel: "warning",
});
for (const one of ["index.html", "icon.svg"]) await copyFile(join(here, "public", one), join(out, one));
