// Which files a file imports at run time, by itself and through others; a test that uses the platform, the worker. Paths are relative to the root.
import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { type Import, importsOf } from "./imports.ts";
import { root } from "./source-files.ts";

const known = new Map<string, readonly string[]>();

/** The worker's entrance, which nothing imports that makes requests to it. */
const WORKER = "src/index.ts";

/** The file that an import stands for; null for a package. */
function targetOf({ from }: Import, path: string): string | null {
  if (from.startsWith("cloudflare:")) return path.startsWith("test/") ? WORKER : null;
  if (!from.startsWith(".")) return null;
  const target = posix.join(posix.dirname(path), from);
  // What stands in a text as if it were imported is no file.
  return existsSync(join(root, target)) ? target : null;
}

/** The files that a file itself imports at run time. */
function importedFiles(path: string): readonly string[] {
  const found = known.get(path);
  if (found) return found;
  const text = /\.tsx?$/.test(path) ? readFileSync(join(root, path), "utf8") : "";
  const imported = importsOf(text)
    .filter(({ typeOnly }) => !typeOnly)
    .map((it) => targetOf(it, path))
    .filter((it) => it !== null);
  known.set(path, imported);
  return imported;
}

/**
 * Files and what they import, directly or not.
 *
 * @param isFollowed whether what a file imports is looked at as well
 */
export function filesReached(
  starts: readonly string[],
  isFollowed: (path: string) => boolean = () => true,
): Set<string> {
  const reached = new Set(starts);
  for (const path of reached) {
    if (!isFollowed(path)) continue;
    for (const it of importedFiles(path)) reached.add(it);
  }
  return reached;
}

/** Those of the files that import one of the targets, directly or not, or are one. */
export function filesReaching(targets: readonly string[], files: readonly string[]): Set<string> {
  const importers = new Map<string, string[]>();
  for (const path of filesReached(files)) {
    for (const it of importedFiles(path)) importers.set(it, [...(importers.get(it) ?? []), path]);
  }
  const reaching = new Set(targets);
  for (const path of reaching) for (const it of importers.get(path) ?? []) reaching.add(it);
  return new Set(files.filter((it) => reaching.has(it)));
}
