// The import rules of the layout, and the parsing of imports. Four storeys, each of which imports only those below it; in
// `features`, subjects that have an order, and parts of a record that have one.
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

/** Storey → the storeys that it may import; its own is always allowed. `null`: everything. */
const STOREYS: Readonly<Record<string, readonly string[] | null>> = {
  console: ["domain", "kernel"],
  features: ["products", "domain", "kernel"],
  products: ["domain", "kernel"],
  kernel: [],
  domain: [],
  reference: null,
  setup: null,
};

/** What the kernel takes of the domain: values without a subject, and who asks. */
const BELOW_KERNEL = /^src\/domain\/(shared|access)\//;

/**
 * The subjects of `features`, lowest first: each imports only those before it. Below them is what all of them need: the
 * tables, the commit of changes, the queue of announcements.
 */
const SUBJECTS: readonly string[] = [
  ...["schema", "change", "outgoing"],
  ...["access", "people", "oncall", "routing", "alerts", "broadcasts", "integrations"],
  ...["reports", "notifications", "operations"],
];

/** Lists of all subjects: the contract's answers, queries and operations, and the objects' stubs. */
const LISTS = /^src\/features\/[a-z]+\.ts$/;

/** The stubs that call objects, which import no object's code. */
export const STUBS = "src/features/stubs.ts";

/** The entry points: they may import everything, and nothing else imports them. */
const ENTRY_POINTS: readonly string[] = [
  ...["index", "objects", "app", "api", "routes", "consumer", "cron"].map((it) => `src/${it}.ts`),
];

/** The console calls the API by the types of its routes. */
const TYPES_OF_ROUTES = "src/routes.ts";

/**
 * Verbs that no route of the API has and pages call: of people who are signing in, of what follows from links in mails and
 * chats, and of what the frame of every page shows.
 */
const WITHOUT_ROUTE =
  /^src\/features\/(?:access\/sessions\/[a-z-]+|people\/(?:contacts\/verify-email|chat-accounts\/(?:chat-links|link-chat-account)|channel-addresses\/list-messengers|push-subscriptions\/note-opened)|oncall\/notices\/find-uncovered|operations\/audits\/read-deployment-notice)\.ts$/;

/** What a file of `features` is. */
type Part = "contract" | "parameters" | "routes" | "rows" | "object" | "requests" | "verbs";

/** Folders and files that answer requests of others than the API's clients. */
const REQUESTS =
  /^src\/features\/(?:notifications\/(?:callbacks|chat|reply-links)|integrations\/(?:receive|drop-in))\/|\/serve-[^/]+$|\/(?:deployment-token|handle-change|authenticate)\.ts$/;

const PARTS: readonly (readonly [file: RegExp, part: Part])[] = [
  [/(^|-)(parameters|query)\.ts$/, "parameters"],
  [/(^|-)contract\.ts$/, "contract"],
  [/(^|-)routes\.ts$/, "routes"],
  [/(^|-)(rows|records)\.ts$/, "rows"],
  [/(^|-)object\.ts$/, "object"],
];

/** The part of a record that a file of `features` is; null for all other files. */
export function partOf(path: string): Part | null {
  if (storeyOf(path) !== "features") return null;
  if (/^src\/features\/(answers|operations|queries)\.ts$/.test(path)) return "contract";
  const name = path.slice(path.lastIndexOf("/") + 1);
  const named = PARTS.find(([file]) => file.test(name))?.[1];
  if (named) return named;
  return REQUESTS.test(path) ? "requests" : "verbs";
}

/** Part → the parts that it may not import at run time. */
const ABOVE: Readonly<Record<Part, readonly Part[]>> = {
  parameters: ["contract", "routes", "rows", "object", "requests", "verbs"],
  contract: ["routes", "rows", "object", "requests", "verbs"],
  rows: ["contract", "routes", "object", "requests"],
  verbs: ["contract", "routes", "object", "requests"],
  object: ["contract", "routes", "object", "requests"],
  routes: ["contract", "routes", "object"],
  requests: ["contract", "routes", "object"],
};

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
export function storeyOf(path: string): string | null {
  return /^src\/([^/]+)\//.exec(path)?.[1] ?? null;
}

/** The folder of a file in its storey: its subject; null of a file that is in none. */
export function subjectOf(path: string): string | null {
  return /^src\/[^/]+\/([^/]+)\//.exec(path)?.[1] ?? null;
}

/** The place of a subject in the order of `features`; -1 of no subject's file. */
const rankOf = (path: string): number =>
  storeyOf(path) === "features" ? SUBJECTS.indexOf(subjectOf(path) ?? "") : -1;

export const isEntryPoint = (path: string): boolean => ENTRY_POINTS.includes(path);

/** Whether a file may import another one. */
function isAllowed(path: string, target: string, typeOnly: boolean): boolean {
  const storey = storeyOf(path) ?? "";
  const other = storeyOf(target);
  const below = STOREYS[storey];
  if (other === null) return true;
  const [part, otherPart] = [partOf(path), partOf(target)];
  if (storey === "console" && other === "features") {
    if (otherPart === "verbs" && WITHOUT_ROUTE.test(target)) return true;
    return otherPart === "parameters" || (otherPart === "contract" && typeOnly);
  }
  if (storey === "kernel" && other === "domain") return BELOW_KERNEL.test(target);
  if (storey !== other) return below?.includes(other) ?? false;
  if (part === null || otherPart === null) return true;
  if (!LISTS.test(path) && rankOf(target) > rankOf(path)) return false;
  return typeOnly || LISTS.test(path) || !ABOVE[part].includes(otherPart);
}

/** Only what answers requests knows how one is read and answered. */
const isHttpAllowed = (path: string, target: string, typeOnly: boolean): boolean =>
  typeOnly ||
  !target.startsWith("src/kernel/http/") ||
  !/^(contract|parameters|rows|verbs|object)$/.test(partOf(path) ?? "");

/** The forbidden imports of a file, each as a sentence. */
export function findForbiddenImports(file: SourceFile): string[] {
  if (ENTRY_POINTS.includes(file.path)) return [];
  const storey = storeyOf(file.path);
  if (storey === null || !(storey in STOREYS))
    return [`${file.path} is in no folder of the layout`];
  if (STOREYS[storey] === null) return [];
  const forbidden = importsOf(file.text)
    .filter(({ from }) => from.startsWith("."))
    .map(({ from, typeOnly }) => ({
      target: posix.join(posix.dirname(file.path), from),
      typeOnly,
    }))
    .filter(
      ({ target, typeOnly }) =>
        (ENTRY_POINTS.includes(target) &&
          !(typeOnly && storey === "console" && target === TYPES_OF_ROUTES)) ||
        !isAllowed(file.path, target, typeOnly) ||
        !isHttpAllowed(file.path, target, typeOnly),
    )
    .map(({ target }) => `${file.path} imports ${target}`);
  return [...new Set(forbidden)];
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
