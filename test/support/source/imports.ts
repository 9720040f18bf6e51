// The import rules of the layout: which folder may import which, and the parsing of imports. Subjects move one by one from
// the folders of `ALLOWED` to the storeys: a file that has moved keeps to the rules of both.
import { posix } from "node:path";
import type { SourceFile } from "./source-files.ts";

export type Import = {
  /** As written: a package's name or a relative path. */
  readonly from: string;
  /** `import type`, which does not exist at run time. */
  readonly typeOnly: boolean;
  /** The text between `import` and `from`; empty for side-effect and dynamic imports. */
  readonly bindings: string;
};

type Allowed = {
  readonly folders: readonly string[];
  /** Folders of which only types may be imported, and the stubs that call objects. */
  readonly typesOf: readonly string[];
};

/** Folder → the folders that it may import; its own is always allowed. */
const ALLOWED: Readonly<Record<string, Allowed>> = {
  contract: { folders: ["integrations", "domain"], typesOf: [] },
  services: {
    folders: ["channels", "db", "domain", "integrations"],
    typesOf: ["contract", "objects"],
  },
  api: {
    folders: ["services", "channels", "http", "db", "domain", "integrations"],
    typesOf: ["contract", "objects"],
  },
  console: {
    folders: ["api", "services", "channels", "http", "db", "domain", "integrations"],
    typesOf: ["contract", "objects"],
  },
  links: { folders: ["api", "services", "channels", "http", "db", "domain"], typesOf: ["objects"] },
  callbacks: {
    folders: ["services", "channels", "http", "db", "integrations", "domain"],
    typesOf: ["objects"],
  },
  webhooks: { folders: ["services", "http", "db", "domain", "integrations"], typesOf: ["objects"] },
  integrations: { folders: ["domain"], typesOf: [] },
  objects: { folders: ["services", "db", "domain", "integrations"], typesOf: [] },
  queue: { folders: ["services", "channels", "db", "domain"], typesOf: ["objects"] },
  cron: { folders: ["services", "db", "domain"], typesOf: ["objects"] },
  channels: { folders: ["db", "domain", "integrations"], typesOf: [] },
  http: { folders: ["db", "domain"], typesOf: ["contract"] },
  db: { folders: ["domain"], typesOf: ["contract"] },
  setup: { folders: ["integrations", "reference", "db", "domain"], typesOf: [] },
  reference: { folders: ["contract", "integrations", "http", "db", "domain"], typesOf: [] },
  domain: { folders: [], typesOf: [] },
};

/** The stubs that call objects, allowed wherever only the types of objects are. */
export const STUBS = "src/objects/shared/stubs.ts";

/**
 * The schemas of request bodies, which the server uses at run time. The rest of the contract
 * describes responses; the server imports only its types.
 */
const PARAMETERS = /^src\/(?:contract|features)\/(?:[a-z-]+\/)+(?:[a-z-]+-)?parameters\.ts$/;

/** Storey → the storeys that it may import; its own is always allowed. */
const STOREYS: Readonly<Record<string, readonly string[]>> = {
  console: ["domain", "kernel"],
  features: ["products", "domain", "kernel"],
  products: ["domain", "kernel"],
  kernel: [],
  domain: [],
};

/** The subjects of `features`, lowest first: each imports only those before it. */
const SUBJECTS: readonly string[] = [
  ...["people", "access", "oncall", "reports", "routing", "alerts", "broadcasts", "integrations"],
  ...["operations", "notifications"],
];

/** Which part of a record a file of `features` is, as the folder where that part of all others was. */
const PARTS: readonly (readonly [file: RegExp, folder: string])[] = [
  [/(^|-)(contract|parameters)\.ts$/, "contract"],
  [/(^|-)routes\.ts$/, "api"],
  [/(^|-)(rows|records)\.ts$/, "db"],
  [/^object\.ts$/, "objects"],
  [/^queue\.ts$/, "queue"],
];

/** The console calls the API by the types of its routes. */
const TYPES_OF_ROUTES = "src/routes.ts";

/** The entry points: they may import everything, and nothing else imports them. */
const ENTRY_POINTS: readonly string[] = [
  "src/index.ts",
  "src/app.ts",
  "src/routes.ts",
  "src/reference/build.ts",
];

const STATIC = /^(?:import|export)\s+(type\s)?([^"';]*?)\bfrom\s*["']([^"']+)["']/gm;
const SIDE_EFFECT = /^import\s*["']([^"']+)["']/gm;
const DYNAMIC = /\bimport\(\s*["']([^"']+)["']/g;

/** Every import and re-export of a file. */
export function importsOf(text: string): Import[] {
  return [
    ...[...text.matchAll(STATIC)].map(([, type, bindings = "", from = ""]) => ({
      from,
      typeOnly: type !== undefined,
      bindings: bindings.trim(),
    })),
    ...[...text.matchAll(SIDE_EFFECT), ...text.matchAll(DYNAMIC)].map(([, from = ""]) => ({
      from,
      typeOnly: false,
      bindings: "",
    })),
  ];
}

/** The storey of a path, its top folder in src; null for entry points and files outside src. */
const storeyOf = (path: string): string | null => /^src\/([^/]+)\//.exec(path)?.[1] ?? null;

/** The top folder in src of a path, or the one that a file of `features` came from; null as above. */
export function folderOf(path: string): string | null {
  const folder = storeyOf(path);
  if (folder !== "features") return folder;
  const name = path.slice(path.lastIndexOf("/") + 1);
  return PARTS.find(([file]) => file.test(name))?.[1] ?? "services";
}

/** The imports of a file that go up: to a higher storey, or to a later subject of `features`. */
function findImportsUpwards({ path, text }: SourceFile): string[] {
  const storey = storeyOf(path) ?? "";
  const below = STOREYS[storey];
  if (!below) return [];
  const subject = (it: string) => SUBJECTS.indexOf(/^src\/features\/([^/]+)\//.exec(it)?.[1] ?? "");
  return importsOf(text)
    .filter(({ from }) => from.startsWith("."))
    .filter(({ from }) => {
      const target = posix.join(posix.dirname(path), from);
      const other = storeyOf(target);
      if (other === null || !(other in STOREYS)) return false;
      if (storey === "console" && other === "features") return folderOf(target) !== "contract";
      if (storey === "features" && other === "features") return subject(target) > subject(path);
      return other !== storey && !below.includes(other);
    })
    .map(({ from }) => `${path} imports ${from}`);
}

/** The forbidden imports of a file, each as a sentence. */
export function findForbiddenImports(file: SourceFile): string[] {
  return [...findImportsOfOtherFolders(file), ...findImportsUpwards(file)];
}

function findImportsOfOtherFolders(file: SourceFile): string[] {
  if (ENTRY_POINTS.includes(file.path)) return [];
  const folder = folderOf(file.path);
  const allowed = folder === null ? undefined : ALLOWED[folder];
  if (!allowed) return [`${file.path} is in no folder of the layout`];
  return importsOf(file.text)
    .filter(({ from }) => from.startsWith("."))
    .filter(({ from, typeOnly }) => {
      const path = posix.join(posix.dirname(file.path), from);
      const target = folderOf(path);
      if (target === null) {
        return !(typeOnly && folder === "console" && path === TYPES_OF_ROUTES);
      }
      if (PARAMETERS.test(file.path) && target === "contract") {
        return !typeOnly && !PARAMETERS.test(path);
      }
      if (target === folder || allowed.folders.includes(target)) return false;
      return !(
        allowed.typesOf.includes(target) &&
        (typeOnly || path === STUBS || PARAMETERS.test(path))
      );
    })
    .map(({ from }) => `${file.path} imports ${from}`);
}

/** The packages that a file imports, as values or types. */
export function packagesOf(file: SourceFile): string[] {
  return importsOf(file.text)
    .map(({ from }) => from)
    .filter((from) => !from.startsWith("."));
}

/** Removes comments, so that a word in one does not count as code. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
}
