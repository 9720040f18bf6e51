// Circles of imports: files that cannot be read, or moved, one without the other. Types count as much as values.
import { posix } from "node:path";
import { importsOf } from "./imports.ts";
import type { SourceFile } from "./source-files.ts";

/** Every set of files that reach each other by imports (Tarjan's strongly connected components), each sorted. */
export function circlesIn(files: readonly SourceFile[]): string[][] {
  const paths = new Set(files.map(({ path }) => path));
  const imports = new Map(
    files.map(({ path, text }) => [
      path,
      importsOf(text)
        .map(({ from }) => posix.join(posix.dirname(path), from))
        .filter((target) => paths.has(target)),
    ]),
  );
  const numbers = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  /** Answers the lowest number that can be reached among the files that are open. */
  const visit = (path: string): number => {
    const number = numbers.size;
    numbers.set(path, number);
    open.push(path);
    let lowest = number;
    for (const target of imports.get(path) ?? []) {
      const known = numbers.get(target);
      if (known === undefined) lowest = Math.min(lowest, visit(target));
      else if (open.includes(target)) lowest = Math.min(lowest, known);
    }
    if (lowest === number) {
      const members = open.splice(open.indexOf(path));
      const isCircle = members.length > 1 || imports.get(path)?.includes(path) === true;
      if (isCircle) circles.push(members.sort());
    }
    return lowest;
  };
  for (const path of paths) if (!numbers.has(path)) visit(path);
  return circles;
}
