// What a server needs built: the worker's modules and the static assets. Both are built where the code is not what they were
// built from: at the first start and after an upgrade, or before, by this file, as the `Dockerfile` does.
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { readBaseConfig } from "../deploying/base-config.ts";
import { root } from "../processes/wrangler.ts";
import { MODULES } from "./miniflare-options.ts";

const STAMP = join(root, "dist/serve/built-from");

/** What the compose file names in this folder; others may not read it. */
const SECRETS = "tocsin.env";

/** Identifies the sources and the versions of libraries. */
function fingerprint(): string {
  const entries = globSync("src/**/*", { cwd: root, withFileTypes: true });
  const sources = entries.filter((it) => it.isFile() && it.name !== SECRETS);
  const paths = sources.map(({ parentPath, name }) => relative(root, join(parentPath, name)));
  const hash = createHash("sha256");
  for (const path of [...paths.sort(), "wrangler.toml", "package-lock.json"]) {
    hash.update(`${path}\0`).update(readFileSync(join(root, path)));
  }
  return hash.digest("hex");
}

/** Builds what is missing or old. @returns whether anything was */
export async function buildIfOld(): Promise<boolean> {
  const current = fingerprint();
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === current) return false;
  // A server that was built before has neither the bundlers nor what the documentation is made by.
  const [{ buildAssets }, { buildModules }] = await Promise.all([
    import("../assets.ts"),
    import("../modules.ts"),
  ]);
  const base = readBaseConfig();
  await Promise.all([
    buildAssets(),
    ...Object.values(MODULES).map(({ main, folder }) => buildModules(main, folder, base)),
  ]);
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, current);
  return true;
}

if (process.argv[1] === import.meta.filename) await buildIfOld();
