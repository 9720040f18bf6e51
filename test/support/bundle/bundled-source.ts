// Takes what tests import below `src` from one module. Otherwise each process and each runtime of tests asks Vite for a
// thousand modules, one by one.
import { globSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Plugin } from "vite";
import { filesReached } from "../source/reached-files.ts";
import { root } from "../source/source-files.ts";
import {
  type BundleOptions,
  bundleFile,
  type Exports,
  partOf,
  readBundle,
} from "./build-bundle.ts";

/** A module that stands for a bundled file. */
const PREFIX = "\0bundled:";

const isSource = (path: string) => path.startsWith("src/");

/** What a module exports that stands for a bundled file. */
function standIn(bundle: string, path: string, exports: readonly string[]): string {
  const constants = exports.map((it, at) => `const _${at} = part[${JSON.stringify(it)}];`);
  const names = exports.map((it, at) => `_${at} as ${it}`);
  return [
    `import { ${partOf(path)} as part } from ${JSON.stringify(bundle)};`,
    ...constants,
    `export { ${names.join(", ")} };`,
  ].join("\n");
}

/**
 * A Vite plugin.
 *
 * @param tests patterns of the files that import from the bundle, relative to the root
 */
export function bundledSource(tests: readonly string[], options: BundleOptions): Plugin {
  const { project, alias } = options;
  const bundle = bundleFile(project);
  let reading: Promise<Exports> | null = null;
  const readExports = () => {
    reading ??= readBundle(entries(), options);
    return reading;
  };

  function entries(): string[] {
    const reached = filesReached(globSync([...tests], { cwd: root }), (it) => !isSource(it));
    return [...new Set([...[...reached].filter(isSource), ...Object.values(alias)])].sort();
  }

  /** The path of what is imported, relative to the root; null of a package. */
  function pathOf(source: string, importer: string | undefined): string | null {
    if (alias[source] !== undefined) return alias[source];
    if (!/^\.{0,2}\//.test(source)) return null;
    const path = importer === undefined ? source : resolve(dirname(importer), source);
    return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : null;
  }

  return {
    name: "bundled-source",
    enforce: "pre",
    async resolveId(source, importer) {
      if (source === bundle) return { id: bundle, external: true };
      const path = pathOf(source, importer);
      if (path === null || !(isSource(path) || alias[source])) return null;
      const exports = await readExports();
      if (exports[path] === undefined) throw new Error(`${path} is not in the bundle`);
      return `${PREFIX}${path}`;
    },
    async load(id) {
      if (!id.startsWith(PREFIX)) return null;
      const path = id.slice(PREFIX.length);
      return standIn(bundle, path, (await readExports())[path] ?? []);
    },
  };
}
