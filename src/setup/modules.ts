// Builds the worker as modules: an isolate evaluates one only when it is first imported. `wrangler deploy` by itself,
// with `wrangler.toml`, puts everything into one file.
//
// Wrangler runs this file before it uploads or serves what was built: `buildingConfig`.
import { basename, join, relative, resolve } from "node:path";
import { build, type Metafile, type Plugin } from "esbuild";
import { buildFolder } from "./build-folder.ts";
import { readBaseConfig } from "./deploying/base-config.ts";
import type { WranglerConfig } from "./deploying/worker-config.ts";
import { root } from "./processes/wrangler.ts";

/** The modules of the worker, relative to the root. */
const MODULES = "dist/worker";

/** Imports with the files that replace them, relative to the root. */
type Aliases = Readonly<Record<string, string>>;

function replacedImports(aliases: Aliases): Plugin {
  const names = Object.keys(aliases).map((it) => it.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return {
    name: "replaced-imports",
    setup({ onResolve }) {
      onResolve({ filter: new RegExp(`^(?:${names.join("|")})$`) }, ({ path }) => ({
        path: resolve(root, aliases[path] ?? path),
      }));
    },
  };
}

/**
 * Bundles an entry point and what it imports into modules, in place of those that a folder has.
 *
 * @param main the entry point, relative to the root
 * @param folder relative to the root
 * @returns which sources are in which module, and which module imports which
 */
export async function buildModules(
  main: string,
  folder: string,
  { alias = {} }: WranglerConfig,
): Promise<Metafile> {
  const { metafile } = await buildFolder(folder, (beside) =>
    build({
      absWorkingDir: root,
      entryPoints: [{ in: main, out: basename(main, ".ts") }],
      outdir: relative(root, beside),
      chunkNames: "[name]-[hash]",
      bundle: true,
      splitting: true,
      minify: true,
      format: "esm",
      target: "es2024",
      // As wrangler has it.
      conditions: ["workerd", "worker", "browser"],
      define: { "process.env.NODE_ENV": '"production"' },
      external: ["cloudflare:*", "node:*"],
      plugins: [replacedImports(alias)],
      legalComments: "none",
      metafile: true,
      logLevel: "warning",
    }),
  );
  return metafile;
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
