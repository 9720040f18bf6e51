// What each entrance of the worker loads, in bytes. Whoever adds a library sees which entrance grew, and by what.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { readBaseConfig } from "../../../src/setup/deploying/base-config.ts";
import { type BuiltModule, buildModules } from "../../../src/setup/modules.ts";
import { root } from "../../../src/setup/processes/wrangler.ts";

const FOLDER = "dist/measured-worker";

/** An entrance: the sources that it imports at once, and the bytes that they may have, compressed one by one (KiB). */
type Entrance = { readonly sources: readonly string[]; readonly limit: number };

const ENTRY = "src/index.ts";
const INBOX = "src/features/integrations/inbox/object.ts";
const ALERT = "src/features/alerts/object/object.ts";

const ENTRANCES: Readonly<Record<string, Entrance>> = {
  "an isolate that starts, and the receiver": { sources: [ENTRY], limit: 32 },
  "a webhook, to the alert": { sources: [ENTRY, INBOX, ALERT], limit: 210 },
  "a webhook, to the provider's call": {
    sources: [ENTRY, INBOX, ALERT, "src/consumer.ts"],
    limit: 280,
  },
  "the API": { sources: [ENTRY, "src/api.ts"], limit: 560 },
  "the console": { sources: [ENTRY, "src/console/console.tsx", "src/routes.ts"], limit: 720 },
};

/** The whole upload, compressed as wrangler counts it (KiB). */
const UPLOAD = 798;

/**
 * What each library and folder had when it was recorded (KiB, neither shortened nor compressed): what has grown since is said where a limit is
 * exceeded. To record anew, delete the file and run this test.
 */
const RECORDED = join(import.meta.dirname, "module-sizes.json");

/** Less growth is not named (KiB). */
const NAMED = 1;

let built: ReadonlyMap<string, BuiltModule>;
/** The bytes of each module, compressed. */
let sizes: ReadonlyMap<string, number>;

/** The module that a source is in as an entrance. */
function moduleOf(source: string): string {
  const [found] = [...built].find(([, it]) => it.entrance === source) ?? [];
  if (found === undefined) throw new Error(`${source} is no entrance`);
  return found;
}

/** These modules with those that they import at once. */
function withImports(modules: readonly string[]): ReadonlySet<string> {
  const all = new Set<string>();
  const add = (module: string) => {
    if (all.has(module)) return;
    all.add(module);
    for (const imported of built.get(module)?.imports ?? []) add(imported);
  };
  for (const module of modules) add(module);
  return all;
}

/** What libraries and folders have in modules (KiB, neither shortened nor compressed), the largest first. */
function sharesOf(modules: Iterable<string>): ReadonlyMap<string, number> {
  const shares = new Map<string, number>();
  for (const module of modules) {
    for (const [source, size] of built.get(module)?.sources ?? []) {
      const [, library] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? [];
      const name = library ?? source.split("/").slice(0, 3).join("/");
      shares.set(name, (shares.get(name) ?? 0) + size / 1024);
    }
  }
  return new Map([...shares].sort(([, one], [, other]) => other - one));
}

/** What has most bytes in modules, and what has grown since it was recorded. */
function explain(modules: Iterable<string>): string {
  const shares = [...sharesOf(modules)];
  const recorded = JSON.parse(readFileSync(RECORDED, "utf8")) as Record<string, number>;
  const shown = ([name, size]: readonly [string, number]) => `${name} ${size.toFixed(1)}`;
  const grown = [...sharesOf(built.keys())]
    .map(([name, size]) => [name, size - (recorded[name] ?? 0)] as const)
    .filter(([, size]) => size >= NAMED)
    .sort(([, one], [, other]) => other - one);
  return (
    `largest (KiB, neither shortened nor compressed): ${shares.slice(0, 12).map(shown).join(", ")}; ` +
    `grown since recorded, in the whole: ${grown.map(shown).join(", ") || "nothing"}`
  );
}

describe("the modules of the worker", () => {
  beforeAll(async () => {
    built = await buildModules(ENTRY, FOLDER, readBaseConfig());
    sizes = new Map(
      [...built.keys()].map((it) => [it, gzipSync(readFileSync(join(root, FOLDER, it))).length]),
    );
    if (!existsSync(RECORDED)) {
      const shares = [...sharesOf(built.keys())];
      const rounded = shares.map(([name, size]) => [name, Number(size.toFixed(1))] as const);
      writeFileSync(RECORDED, `${JSON.stringify(Object.fromEntries(rounded), null, 2)}\n`);
    }
  });

  test.each(Object.entries(ENTRANCES))("%s", (name, { sources, limit }) => {
    const modules = withImports(sources.map(moduleOf));
    const size = [...modules].reduce((sum, it) => sum + (sizes.get(it) ?? 0), 0) / 1024;
    const grown = `${name}: ${size.toFixed(1)} KiB of ${limit}; ${explain(modules)}`;
    expect(size, grown).toBeLessThanOrEqual(limit);
    // A budget that nothing comes near guards nothing.
    expect(size, `lower the limit of ${name}: ${size.toFixed(1)} KiB`).toBeGreaterThan(limit * 0.8);
  });

  test("what every isolate loads is one beside the entry point", () => {
    expect(withImports([moduleOf(ENTRY)]).size).toBe(2);
  });

  test("none is imported by what it imports: the order in which they are evaluated is that of their sources", () => {
    const around = [...built.keys()].filter((it) =>
      (built.get(it)?.imports ?? []).some((imported) => withImports([imported]).has(it)),
    );
    expect(around).toEqual([]);
  });

  test("the whole upload", () => {
    // The entry point comes first, then the others by their names.
    const others = [...built.keys()].filter((it) => it !== "index.js");
    const files = ["index.js", ...others.sort()].map((it) => readFileSync(join(root, FOLDER, it)));
    const size = gzipSync(Buffer.concat(files)).length / 1024;
    expect(size, `${size.toFixed(1)} KiB; ${explain(built.keys())}`).toBeLessThanOrEqual(UPLOAD);
  });
});
