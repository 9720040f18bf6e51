// Finds import cycles. Type imports count like value imports.
import { posix } from "node:path";
import { importsOf } from "./imports.ts";
import type { SourceFile } from "./source-files.ts";

/** Every cycle: the strongly connected components of the imports (Tarjan), each sorted. */
export function findImportCycles(files: readonly SourceFile[]): string[][] {
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
  const cycles: string[][] = [];
  /** Returns the lowest number reachable among the open files. */
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
      const isCycle = members.length > 1 || imports.get(path)?.includes(path) === true;
      if (isCycle) cycles.push(members.sort());
    }
    return lowest;
  };
  for (const path of paths) if (!numbers.has(path)) visit(path);
  return cycles;
}
