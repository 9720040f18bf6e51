// The source files as text, for the tests of the layout.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";

export type SourceFile = {
  /** Relative to the root, with forward slashes: `src/domain/shared/time.ts`. */
  readonly path: string;
  readonly text: string;
};

export const root = resolve(import.meta.dirname, "../../..");

/** Every file below a folder of the project whose name has this ending, sorted by path. */
export function filesBelow(folder: string, ending: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({
      path: relative(root, path).split(sep).join("/"),
      text: readFileSync(path, "utf8"),
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The TypeScript files of src, without generated type declarations. */
export function sourceFiles(): SourceFile[] {
  return [...filesBelow("src", ".ts"), ...filesBelow("src", ".tsx")].filter(
    (file) => !file.path.endsWith(".d.ts"),
  );
}

/** The TypeScript files of the tests and of what supports them. */
export const testFiles = (): SourceFile[] => [
  ...filesBelow("test", ".ts"),
  ...filesBelow("test", ".tsx"),
];
