// Imports at the beginning what the worker imports at its first use. Under Vitest such an import asks the test runner for
// the module, in the name of whichever object imported it first, and an object may not wait for what another one asked.
import type { Plugin } from "vite";

const DYNAMIC = /\bimport\((?<path>"[^"]+\.tsx?")\)/g;

/** A Vite plugin for the source files. */
export function staticImports(source: string): Plugin {
  return {
    name: "static-imports",
    enforce: "pre",
    transform(code, id) {
      if (!id.startsWith(source) || !code.includes("import(")) return null;
      const paths = [...new Set([...code.matchAll(DYNAMIC)].map(({ groups }) => groups?.path))];
      const imports = paths.map((path, at) => `import * as imported${at} from ${path};`);
      const body = code.replace(
        DYNAMIC,
        (_, path: string) => `Promise.resolve(imported${paths.indexOf(path)})`,
      );
      // Where the lines of the file are is left as it was.
      return { code: `${imports.join(" ")} ${body}`, map: null };
    },
  };
}
