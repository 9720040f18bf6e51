// Which file may import which: the table of the layout, and the reading of imports it is checked against.
import { posix } from "node:path";
import type { SourceFile } from "./source-files.ts";

export type Import = {
  /** As written: a package's name or a relative path. */
  readonly from: string;
  /** `import type`, which leaves nothing behind at run time. */
  readonly typeOnly: boolean;
  /** What stands between `import` and `from`; empty when imported for its effect or at run time. */
  readonly bindings: string;
};

type Allowed = {
  readonly folders: readonly string[];
  /** Of these only types (the contract is described where it is published, not where it is served), and the stubs through which objects are called. */
  readonly typesOf: readonly string[];
};

/** Folder → folders below it that it may import; its own is always allowed. */
const ALLOWED: Readonly<Record<string, Allowed>> = {
  contract: { folders: ["integrations", "domain"], typesOf: [] },
  api: {
    folders: ["channels", "http", "db", "domain", "integrations"],
    typesOf: ["contract", "objects"],
  },
  console: {
    folders: ["api", "channels", "http", "db", "domain", "integrations"],
    typesOf: ["contract", "objects"],
  },
  links: { folders: ["api", "channels", "http", "db", "domain"], typesOf: ["objects"] },
  callbacks: { folders: ["channels", "http", "db", "domain"], typesOf: ["objects"] },
  webhooks: { folders: ["http", "db", "domain", "integrations"], typesOf: ["objects"] },
  integrations: { folders: ["domain"], typesOf: [] },
  objects: { folders: ["db", "domain", "integrations"], typesOf: [] },
  queue: { folders: ["channels", "db", "domain"], typesOf: ["objects"] },
  channels: { folders: ["db", "domain"], typesOf: [] },
  http: { folders: ["db", "domain"], typesOf: ["contract"] },
  db: { folders: ["domain"], typesOf: ["contract"] },
  setup: { folders: ["db", "domain"], typesOf: [] },
  reference: { folders: ["contract", "integrations", "http", "db", "domain"], typesOf: [] },
  domain: { folders: [], typesOf: [] },
};

/** What stands for the objects wherever only their types may be: an object's name in, its methods out. */
export const STUBS = "src/objects/shared/stubs.ts";

/** What callers do by the stubs alone: as good as one. */
const BY_STUBS: readonly string[] = [
  "src/objects/alerts/shared-keys.ts",
  "src/objects/integrations/queue-announcements.ts",
  "src/objects/shared/notify-changes.ts",
  "src/objects/people/erasure.ts",
];

/**
 * What checks bodies, which the server does by value. The rest of the contract describes answers: it is published, and
 * the server has only its types.
 */
const PARAMETERS = /^src\/contract\/[a-z]+\/(?:[a-z-]+-)?parameters\.ts$/;

/** The entrances: they may import everything, and nobody imports them. */
const ENTRANCES: readonly string[] = [
  "src/index.ts",
  "src/app.ts",
  "src/routes.ts",
  "src/reference/build.ts",
];

const STATIC = /^(?:import|export)\s+(type\s)?([^"';]*?)\bfrom\s*["']([^"']+)["']/gm;
const FOR_EFFECT = /^import\s*["']([^"']+)["']/gm;
const AT_RUN_TIME = /\bimport\(\s*["']([^"']+)["']/g;

/** Every import and re-export of a file. */
export function importsOf(text: string): Import[] {
  return [
    ...[...text.matchAll(STATIC)].map(([, type, bindings = "", from = ""]) => ({
      from,
      typeOnly: type !== undefined,
      bindings: bindings.trim(),
    })),
    ...[...text.matchAll(FOR_EFFECT), ...text.matchAll(AT_RUN_TIME)].map(([, from = ""]) => ({
      from,
      typeOnly: false,
      bindings: "",
    })),
  ];
}

/** The folder of src that a path lies in; null for the entrances and whatever is not in src. */
export function folderOf(path: string): string | null {
  return /^src\/([^/]+)\//.exec(path)?.[1] ?? null;
}

/** The imports of one file that point upwards or sideways, each as a sentence. */
export function misdirected(file: SourceFile): string[] {
  if (ENTRANCES.includes(file.path)) return [];
  const folder = folderOf(file.path);
  const allowed = folder === null ? undefined : ALLOWED[folder];
  if (!allowed) return [`${file.path} is in no folder of the layout`];
  return importsOf(file.text)
    .filter(({ from }) => from.startsWith("."))
    .filter(({ from, typeOnly }) => {
      const path = posix.join(posix.dirname(file.path), from);
      const target = folderOf(path);
      if (target === null) return true;
      if (PARAMETERS.test(file.path) && target === "contract") {
        return !typeOnly && !PARAMETERS.test(path);
      }
      if (target === folder || allowed.folders.includes(target)) return false;
      return !(
        allowed.typesOf.includes(target) &&
        (typeOnly || path === STUBS || BY_STUBS.includes(path) || PARAMETERS.test(path))
      );
    })
    .map(({ from }) => `${file.path} imports ${from}`);
}

/** The packages that a file imports, by value or by type. */
export function packagesOf(file: SourceFile): string[] {
  return importsOf(file.text)
    .map(({ from }) => from)
    .filter((from) => !from.startsWith("."));
}

/** The text without comments, so that a word in one is not taken for code. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
}
