// Builds one module of all sources that tests import, unless it is there and nothing has changed since.
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { BuildOptions, Plugin } from "esbuild";
import { root } from "../source/source-files.ts";

/** In `node_modules`: the test runner imports what is there as it is. */
const CACHE = join(root, "node_modules/.cache/tests");

/** What the bundle depends on besides the files that are in it. */
const SETTINGS = ["package-lock.json", "tsconfig.json", "test/support/bundle/build-bundle.ts"];

/** What each bundled file exports, by its path relative to the root. */
export type Exports = Readonly<Record<string, readonly string[]>>;

/** A bundle that was built, and from what. */
type Built = {
  readonly exports: Exports;
  /** The files in it, each with its size and the time of its last change. */
  readonly from: Readonly<Record<string, string>>;
};

export type BundleOptions = {
  /** The name of the project, which has a bundle of its own. */
  readonly project: string;
  /** Files that replace what is imported by another name. Paths are relative to the root. */
  readonly alias: Readonly<Record<string, string>>;
  readonly packages: "bundle" | "external";
};

export const bundleFile = (project: string): string => join(CACHE, `${project}.mjs`);

/** The exports of a file in the bundle. */
export const partOf = (path: string): string => `_${path.replace(/\W/g, "_")}`;

/** Leaves out everything but the entries: what these export is all that is asked for. */
const onlyEntries: Plugin = {
  name: "only-entries",
  setup({ onResolve }) {
    onResolve({ filter: /./ }, ({ kind, path }) =>
      kind === "entry-point" ? null : { path, external: true },
    );
  },
};

/** What files below `test` know of the folder that they are in stays true. */
const keptFolders: Plugin = {
  name: "kept-folders",
  setup({ onLoad }) {
    onLoad({ filter: /\/test\/support\/.*\.ts$/ }, ({ path }) => {
      const folder = JSON.stringify(dirname(path));
      const contents = readFileSync(path, "utf8").replaceAll("import.meta.dirname", folder);
      return { contents, loader: "ts" };
    });
  },
};

const REEXPORT = /^export \* from "([^"]+)"/gm;

/** The files whose exports a file passes on as they are. */
const passedOn = (path: string): string[] =>
  [...readFileSync(join(root, path), "utf8").matchAll(REEXPORT)].map(([, from = ""]) =>
    join(dirname(path), from),
  );

async function exportsOf(entries: readonly string[], options: BuildOptions): Promise<Exports> {
  const { build } = await import("esbuild");
  const files = new Set(entries);
  for (const file of files) for (const it of passedOn(file)) files.add(it);
  const { metafile = { outputs: {} } } = await build({
    ...options,
    entryPoints: [...files],
    outdir: CACHE,
    plugins: [onlyEntries],
    metafile: true,
  });
  const outputs = Object.values(metafile.outputs);
  const own = Object.fromEntries(outputs.map((it) => [it.entryPoint ?? "", it.exports]));
  const all = (file: string): string[] => [...(own[file] ?? []), ...passedOn(file).flatMap(all)];
  return Object.fromEntries(entries.map((it) => [it, all(it)]));
}

/** Other processes see no half of the file. */
function replaceFile(path: string, contents: Uint8Array | string): void {
  writeFileSync(`${path}.${process.pid}`, contents);
  renameSync(`${path}.${process.pid}`, path);
}

/** Empty for a file that is not there, or is not older than an instant: it may have changed meanwhile. */
function stateOf(path: string, before = Number.POSITIVE_INFINITY): string {
  const { mtimeMs = before, size } = statSync(join(root, path), { throwIfNoEntry: false }) ?? {};
  return mtimeMs < before ? `${size} ${mtimeMs}` : "";
}

async function build(entries: readonly string[], options: BundleOptions): Promise<Built> {
  const { build: bundle } = await import("esbuild");
  const { alias, packages } = options;
  const began = Date.now();
  const common: BuildOptions = {
    absWorkingDir: root,
    bundle: true,
    write: false,
    format: "esm",
    target: "es2024",
    logLevel: "warning",
  };
  const parts = entries.map((it) => `export * as ${partOf(it)} from ${JSON.stringify(`./${it}`)};`);
  const [exports, { outputFiles = [], metafile }] = await Promise.all([
    exportsOf(entries, common),
    bundle({
      ...common,
      stdin: { contents: parts.join("\n"), resolveDir: root },
      outfile: bundleFile(options.project),
      conditions: packages === "bundle" ? ["workerd", "worker", "browser"] : [],
      external: ["cloudflare:*", "node:*"],
      packages,
      alias: Object.fromEntries(
        Object.entries(alias).map(([name, it]) => [name, resolve(root, it)]),
      ),
      plugins: [keptFolders],
      sourcemap: true,
      metafile: true,
    }),
  ]);
  for (const { path, contents } of outputFiles) replaceFile(path, contents);
  const inputs = Object.keys(metafile?.inputs ?? {});
  const sources = inputs.filter((it) => it !== "<stdin>" && !it.includes("node_modules/"));
  const from = Object.fromEntries([...sources, ...SETTINGS].map((it) => [it, stateOf(it, began)]));
  return { exports, from };
}

/**
 * Builds the bundle of some files and all that they import, if need be.
 *
 * @param entries the files whose exports are asked for, relative to the root
 * @returns what each exports
 */
export async function readBundle(
  entries: readonly string[],
  options: BundleOptions,
): Promise<Exports> {
  const list = `${bundleFile(options.project)}.json`;
  if (existsSync(list)) {
    const { exports, from } = JSON.parse(readFileSync(list, "utf8")) as Built;
    const isSame = Object.entries(from).every(([path, state]) => stateOf(path) === state);
    if (isSame && entries.every((it) => Object.hasOwn(exports, it))) return exports;
  }
  mkdirSync(CACHE, { recursive: true });
  const built = await build(entries, options);
  replaceFile(list, JSON.stringify(built));
  return built.exports;
}
