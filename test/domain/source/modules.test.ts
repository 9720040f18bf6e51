// What each entrance of the worker loads, in bytes. Whoever adds a library sees which entrance grew, and by what.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Metafile } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { readBaseConfig } from "../../../src/setup/deploying/base-config.ts";
import { buildModules } from "../../../src/setup/modules.ts";
import { root } from "../../../src/setup/processes/wrangler.ts";

const FOLDER = "dist/measured-worker";

/** An entrance: the sources that it imports at once, and the bytes that they may have, compressed one by one (KiB). */
type Entrance = { readonly sources: readonly string[]; readonly limit: number };

const ENTRY = "src/index.ts";
const INBOX = "src/features/integrations/inbox/object.ts";
const ALERT = "src/features/alerts/object/object.ts";

const ENTRANCES: Readonly<Record<string, Entrance>> = {
  "an isolate that starts, and the receiver": { sources: [ENTRY], limit: 40 },
  "a webhook, to the alert": { sources: [ENTRY, INBOX, ALERT], limit: 250 },
  "a webhook, to the provider's call": {
    sources: [ENTRY, INBOX, ALERT, "src/consumer.ts"],
    limit: 320,
  },
  "the API": { sources: [ENTRY, "src/api.ts"], limit: 620 },
  "the console": { sources: [ENTRY, "src/console/console.tsx", "src/routes.ts"], limit: 760 },
};

/** The whole upload, compressed as wrangler counts it (KiB). */
const UPLOAD = 860;

let metafile: Metafile;
let sizes: ReadonlyMap<string, number>;

/** The module that a source is in as an entrance. */
function moduleOf(source: string): string {
  const [found] = Object.entries(metafile.outputs).find(([, it]) => it.entryPoint === source) ?? [];
  if (found === undefined) throw new Error(`${source} is no entrance`);
  return found;
}

/** These modules with those that they import at once. */
function withImports(modules: readonly string[]): ReadonlySet<string> {
  const all = new Set<string>();
  const add = (module: string) => {
    if (all.has(module)) return;
    all.add(module);
    for (const { kind, path, external } of metafile.outputs[module]?.imports ?? [])
      if (kind === "import-statement" && !external) add(path);
  };
  for (const module of modules) add(module);
  return all;
}

/** What has most bytes in modules, before compression: a library, or a folder. */
function largest(modules: ReadonlySet<string>): string {
  const bytes = new Map<string, number>();
  for (const module of modules) {
    for (const [source, { bytesInOutput }] of Object.entries(
      metafile.outputs[module]?.inputs ?? {},
    )) {
      const [, library] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? [];
      const name = library ?? source.split("/").slice(0, 3).join("/");
      bytes.set(name, (bytes.get(name) ?? 0) + bytesInOutput);
    }
  }
  const sorted = [...bytes].sort(([, one], [, other]) => other - one).slice(0, 12);
  return sorted.map(([name, of]) => `${name} ${(of / 1024).toFixed(1)}`).join(", ");
}

describe("the modules of the worker", () => {
  beforeAll(async () => {
    metafile = await buildModules(ENTRY, FOLDER, readBaseConfig());
    sizes = new Map(
      Object.keys(metafile.outputs).map((module) => {
        const file = join(root, FOLDER, module.slice(module.lastIndexOf("/") + 1));
        return [module, gzipSync(readFileSync(file)).length];
      }),
    );
  });

  test.each(Object.entries(ENTRANCES))("%s", (name, { sources, limit }) => {
    const modules = withImports(sources.map(moduleOf));
    const size = [...modules].reduce((sum, it) => sum + (sizes.get(it) ?? 0), 0) / 1024;
    const grown = `${name}: ${size.toFixed(1)} KiB of ${limit}; largest (KiB, not compressed): ${largest(modules)}`;
    expect(size, grown).toBeLessThanOrEqual(limit);
    // A budget that nothing comes near guards nothing.
    expect(size, `lower the limit of ${name}: ${size.toFixed(1)} KiB`).toBeGreaterThan(limit * 0.8);
  });

  test("the whole upload", () => {
    const all = Object.keys(metafile.outputs);
    const files = all.map((it) =>
      readFileSync(join(root, FOLDER, it.slice(it.lastIndexOf("/") + 1))),
    );
    const size = gzipSync(Buffer.concat(files)).length / 1024;
    expect(size, `largest (KiB, not compressed): ${largest(new Set(all))}`).toBeLessThanOrEqual(
      UPLOAD,
    );
  });
});
