// Small files that only one other file imports, and that could stand in it: a reader opens two files for one idea.
import { posix } from "node:path";
import { importsOf, isEntryPoint, partOf, storeyOf, subjectOf } from "./imports.ts";
import type { SourceFile } from "./source-files.ts";

/** A file with fewer lines is small. */
const SMALL = 30;

/** Their importer with them would be a long file. */
const LONG = 350;

/** So many files of one kind are siblings: each has a file, however small. */
const SIBLINGS = 3;

/** A file that imports so many of a folder, or of a kind, is a list of them. */
const LISTED = 5;

const isGenerated = ({ text }: SourceFile): boolean => text.startsWith("// Made by ");

const linesOf = ({ text }: SourceFile): number => text.trimEnd().split("\n").length;

/** The last word of a file's name, which says of what kind it is: `slack-signature.ts` → `signature`. */
const kindOf = (path: string): string | null =>
  /-([a-z]+)\.tsx?$/.exec(posix.basename(path))?.[1] ?? null;

const isSibling = (path: string, others: readonly string[]): boolean => {
  const kind = kindOf(path);
  return kind !== null && others.filter((it) => kindOf(it) === kind).length >= SIBLINGS;
};

/** Whether what the layout says of a file is true of its importer, too. */
const isAlike = (path: string, importer: string): boolean =>
  storeyOf(path) === storeyOf(importer) &&
  subjectOf(path) === subjectOf(importer) &&
  partOf(path) === partOf(importer);

/**
 * The small files that belong to their importer: a single one, of the same storey, subject and part of a record, that would
 * not become long. Apart from siblings, of which at least three files of a folder have the same last word in their names; the
 * entries of a list, which imports at least five of a folder or of such a word; the
 * scripts of pages; and generated files.
 *
 * @param files of src
 * @param tests those that import files of src: what a test imports has two importers
 */
export function findLoneFiles(
  files: readonly SourceFile[],
  tests: readonly SourceFile[],
): readonly string[] {
  const targets = new Map(
    [...files, ...tests].map(({ path, text }) => [
      path,
      importsOf(text).map(({ from }) => posix.join(posix.dirname(path), from)),
    ]),
  );
  const importers = new Map<string, Set<string>>();
  for (const [path, imported] of targets) {
    for (const it of imported) importers.set(it, (importers.get(it) ?? new Set()).add(path));
  }
  const byPath = new Map(files.map((file) => [file.path, file]));
  const foldersOf = Map.groupBy(files, ({ path }) => posix.dirname(path));
  return files.flatMap((file) => {
    const { path } = file;
    if (linesOf(file) >= SMALL || path.endsWith(".client.ts") || isGenerated(file)) return [];
    const [only, ...more] = importers.get(path) ?? [];
    const importer = byPath.get(only ?? "");
    if (importer === undefined || more.length > 0 || isEntryPoint(importer.path)) return [];
    if (!isAlike(path, importer.path) || linesOf(file) + linesOf(importer) > LONG) return [];
    const listed = targets.get(importer.path) ?? [];
    const folder = posix.dirname(path);
    const isListed =
      listed.filter((it) => posix.dirname(it) === folder).length >= LISTED ||
      (kindOf(path) !== null &&
        listed.filter((it) => kindOf(it) === kindOf(path)).length >= LISTED);
    const beside = (foldersOf.get(folder) ?? []).map((it) => it.path);
    return isListed || isSibling(path, beside) ? [] : [`${path} belongs to ${importer.path}`];
  });
}
