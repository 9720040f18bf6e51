// Builds the worker as modules: an isolate evaluates one only when it is first imported. `wrangler deploy` by itself,
// with `wrangler.toml`, puts everything into one file.
//
// Wrangler runs this file before it uploads or serves what was built: `buildingConfig`.
import { writeFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { type OutputChunk, type Plugin, rolldown } from "rolldown";
import { buildFolder } from "./build-folder.ts";
import { readBaseConfig } from "./deploying/base-config.ts";
import type { WranglerConfig } from "./deploying/worker-config.ts";
import { leftOutDescriptions } from "./left-out-descriptions.ts";
import { oneLineStatements } from "./one-line-statements.ts";
import { root } from "./processes/wrangler.ts";

/** The modules of the worker, relative to the root. */
const MODULES = "dist/worker";

/** Imports with the files that replace them, relative to the root. */
type Aliases = Readonly<Record<string, string>>;

/** A module that was built. Sources are relative to the root. */
export type BuiltModule = {
  /** The source that is loaded by loading this module, if it is loaded by itself. */
  readonly entrance: string | null;
  /** The modules that it loads at once, by their files. */
  readonly imports: readonly string[];
  /** The characters that each source has in it before they are made shorter. */
  readonly sources: ReadonlyMap<string, number>;
};

function replacedImports(aliases: Aliases): Plugin {
  const names = Object.keys(aliases).map((it) => it.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return {
    name: "replaced-imports",
    resolveId: {
      filter: { id: new RegExp(`^(?:${names.join("|")})$`) },
      handler: (path) => resolve(root, aliases[path] ?? path),
    },
  };
}

/**
 * Of the Temporal polyfill, the worker has its instants alone, from the sources that come with the library: of the one
 * file that it is imported as, nothing can be left out.
 */
const INSTANTS = "node_modules/@js-temporal/polyfill/lib/instant.ts";

const temporalInstants: Plugin = {
  name: "temporal-instants",
  resolveId: {
    filter: { id: /^@js-temporal\/polyfill$/ },
    handler: (id) => `\0${id}`,
  },
  load: {
    filter: { id: /^\0@js-temporal\/polyfill$/ },
    handler: () => `export * as Temporal from ${JSON.stringify(join(root, INSTANTS))};`,
  },
};

/** The source that a module has most of. */
const mainSource = ({ modules }: OutputChunk): string => {
  const all = Object.entries(modules).map(([id, it]) => [id, it.renderedLength] as const);
  const [[source] = [""]] = all.sort(([, one], [, other]) => other - one);
  return relative(root, source);
};

/**
 * Names of two letters for modules: some 2,500 imports name one, and hashes are what no compression shortens. They are in
 * the order of the sources: modules are compressed in the order of their names, and neighbours have most in common.
 *
 * @param main the file of the entry point, which keeps its name
 * @returns the new names by the old ones
 */
function shortNames(chunks: readonly OutputChunk[], main: string): ReadonlyMap<string, string> {
  const files = chunks
    .filter((it) => it.fileName !== main)
    .map((it) => ({ file: it.fileName, place: `${mainSource(it)} ${it.fileName}` }))
    .sort((one, other) => (one.place < other.place ? -1 : 1));
  const named = files.map(
    ({ file }, i) => [file, `${i.toString(36).padStart(2, "0")}.js`] as const,
  );
  return new Map([[main, main], ...named]);
}

function describeModule(chunk: OutputChunk, names: ReadonlyMap<string, string>): BuiltModule {
  const { facadeModuleId, modules, imports } = chunk;
  return {
    entrance: facadeModuleId && relative(root, facadeModuleId),
    imports: imports.flatMap((it) => names.get(it) ?? []),
    sources: new Map(
      Object.entries(modules).map(([id, it]) => [relative(root, id), it.renderedLength]),
    ),
  };
}

/**
 * Bundles an entry point and what it imports into modules, in place of those that a folder has.
 *
 * @param main the entry point, relative to the root
 * @param folder relative to the root
 * @returns the modules by their files
 */
export async function buildModules(
  main: string,
  folder: string,
  { alias = {} }: WranglerConfig,
): Promise<ReadonlyMap<string, BuiltModule>> {
  const entry = basename(main, ".ts");
  return buildFolder(folder, async (beside) => {
    await using bundle = await rolldown({
      cwd: root,
      input: { [entry]: main },
      // The runtime reads every export of the entry point.
      preserveEntrySignatures: "strict",
      // As wrangler has it.
      resolve: {
        conditionNames: ["workerd", "worker", "browser"],
        mainFields: ["browser", "module", "main"],
      },
      platform: "neutral",
      transform: { target: "es2024", define: { "process.env.NODE_ENV": '"production"' } },
      // Nothing reads a property only for what the reading does.
      treeshake: { propertyReadSideEffects: false },
      external: /^(?:cloudflare|node):/,
      plugins: [replacedImports(alias), temporalInstants, leftOutDescriptions, oneLineStatements],
      // What the replaced parts of libraries do not have is not called.
      checks: { importIsUndefined: false },
      logLevel: "warn",
    });
    const { output } = await bundle.generate({
      format: "esm",
      minify: true,
      comments: false,
      // What every isolate loads is one module, whatever else imports of it.
      codeSplitting: { groups: [{ name: "start", tags: ["$initial"] }] },
    });
    const chunks = output.filter((it) => it.type === "chunk");
    const names = shortNames(chunks, `${entry}.js`);
    const nameOf = (file: string) => names.get(file) ?? file;
    for (const { fileName, code } of chunks) {
      const renamed = code.replace(
        /(["'`])\.\/([\w.-]+\.js)\1/g,
        (_, quote: string, file: string) => `${quote}./${nameOf(file)}${quote}`,
      );
      writeFileSync(join(beside, nameOf(fileName)), renamed);
    }
    return new Map(chunks.map((it) => [nameOf(it.fileName), describeModule(it, names)]));
  });
}

/**
 * A configuration of wrangler for modules that were built; the file that has it may be anywhere.
 *
 * @param base that of one file, as in `wrangler.toml`
 * @param main the entry point among the modules, relative to the root
 */
export function moduleConfig(base: WranglerConfig, main: string): WranglerConfig {
  const { alias, minify, keep_names, ...others } = base;
  return {
    ...others,
    main: join(root, main),
    no_bundle: true,
    find_additional_modules: true,
    rules: [{ type: "ESModule", globs: ["**/*.js"] }],
    assets: { ...base.assets, directory: join(root, base.assets.directory) },
    d1_databases: base.d1_databases.map((it) => ({
      ...it,
      migrations_dir: join(root, "migrations"),
    })),
  };
}

/** The same for the worker itself, which also builds the modules, whenever a source changes. */
export function buildingConfig(base: WranglerConfig): WranglerConfig {
  return {
    ...moduleConfig(base, `${MODULES}/index.js`),
    build: {
      command: `"${process.execPath}" "${import.meta.filename}"`,
      watch_dir: join(root, "src"),
    },
  };
}

if (process.argv[1] === import.meta.filename) {
  await buildModules("src/index.ts", MODULES, readBaseConfig());
}
