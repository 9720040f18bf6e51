// Builds a folder beside the one that a running worker serves, and replaces only what is different: no request finds a file
// missing or half written.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { root } from "./processes/wrangler.ts";

/** The paths of the files in a folder. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));

/** Whether two files have the same content; false if the second does not exist. */
const isSame = (file: string, other: string): boolean =>
  existsSync(other) && readFileSync(file).equals(readFileSync(other));

/** How long what has its content's hash in its name is kept (ms): a worker that runs and open pages still name it. */
const KEPT_MS = 30 * 86_400_000;

const isKept = (folder: string, file: string): boolean =>
  file.startsWith("assets/hashed/") && statSync(join(folder, file)).mtimeMs > Date.now() - KEPT_MS;

/**
 * Makes a folder equal to another one, which it empties, but for files with a hash that are kept. A file that is
 * the same is left alone; others are replaced in one step each, new ones before those that name them, and old
 * ones are removed last.
 */
export function replaceFolder(from: string, to: string): void {
  const built = filesIn(from).sort();
  const names = "asset-names.json";
  for (const file of [
    ...built.filter((it) => it !== names),
    ...built.filter((it) => it === names),
  ]) {
    const target = join(to, file);
    if (isSame(join(from, file), target)) continue;
    mkdirSync(dirname(target), { recursive: true });
    renameSync(join(from, file), target);
  }
  const isBuilt = new Set(built);
  for (const file of filesIn(to)) {
    if (!isBuilt.has(file) && !isKept(to, file)) rmSync(join(to, file), { force: true });
  }
}

/**
 * Builds a folder.
 *
 * @param folder relative to the root
 * @param build writes what belongs into it to the empty folder with this absolute path
 */
export async function buildFolder<Built>(
  folder: string,
  build: (beside: string) => Promise<Built>,
): Promise<Built> {
  const served = join(root, folder);
  for (const it of [served, join(root, "dist")]) mkdirSync(it, { recursive: true });
  const beside = mkdtempSync(join(root, "dist/building-"));
  try {
    const built = await build(beside);
    replaceFolder(beside, served);
    return built;
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
}
