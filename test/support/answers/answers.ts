// What requests are answered, without what differs from run to run: ids, tokens, times.

/** A request and its answer, normalized. */
export type Asked = {
  readonly request: string;
  /** Empty until it is answered. */
  answer: string;
};

type Request = { readonly method: string; readonly path: string; readonly body?: unknown };
type Answer = { readonly status: number; readonly headers: Headers; readonly text: string };

/** The most characters of an answer that are compared as text; of the rest, a hash. */
const MAX_TEXT = 4_000;

/** Headers that differ from answer to answer, or that the platform adds. */
const OWN_HEADERS = /^(?:x-request-id|x-d1-bookmark|date|content-length|cf-.*|retry-after)$/;

const MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec";
const DAYS = "Mon|Tue|Wed|Thu|Fri|Sat|Sun";

const CHANGING: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<uuid>"],
  [
    /\b\d{4}-\d\d-\d\d(?:(?:T|%20| )\d\d(?::|%3A)\d\d(?:(?::|%3A)\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?/g,
    "<time>",
  ],
  [/\b\d{8}T\d{6}Z?/g, "<time>"],
  [/\b[a-z]{3}_[\w-]{14}(?![\w-])/g, "<id>"],
  [/\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/gi, "<id>"],
  [/\b[0-9a-f]{16,}\b/gi, "<hex>"],
  [/(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{16,}/g, "<token>"],
  [/\b1[5-9]\d{8}(?:\d{3})?\b/g, "<time>"],
  [/\bAccount \d+/g, "Account <n>"],
  [/[\w.+-]*\d[\w.+-]*(?:@|%40)/g, "<mailbox>@"],
];

/** On a page, every number and every name of a day may be of the time at which it is read. */
const CHANGING_ON_PAGES: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`\\b(?:${MONTHS})[a-z]*\\b|\\b(?:${DAYS})[a-z]*\\b`, "g"), "<day>"],
  [/-?\d+(?:\.\d+)?/g, "<n>"],
];

const without = (text: string, changing: typeof CHANGING) =>
  changing.reduce((left, [pattern, name]) => left.replace(pattern, name), text);

/** FNV-1a, in 32 bits. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return (hash >>> 0).toString(16);
}

/** An answer in one text: its status, headers and body. */
export function normalizedAnswer({ status, headers, text }: Answer): string {
  const lines = [...headers]
    .filter(([name]) => !OWN_HEADERS.test(name))
    .map(([name, value]) => `${name}: ${without(value, CHANGING)}`);
  const isPage = headers.get("content-type")?.includes("html") ?? false;
  const normal = without(text, isPage ? [...CHANGING, ...CHANGING_ON_PAGES] : CHANGING);
  const body = `${normal.slice(0, MAX_TEXT)}${normal.length > MAX_TEXT ? ` #${hashOf(normal)}` : ""}`;
  return [String(status), ...lines.sort(), body].join("\n");
}

/** Where the answers of the test under way are noted. */
let noted: Asked[] | null = null;

/** Notes what is asked from now on in a list, or nowhere. */
export function noteAnswersIn(list: Asked[] | null): void {
  noted = list;
}

/** Notes a request; what is returned notes its answer. */
export function noteRequest({ method, path, body }: Request): (answer: Answer) => void {
  if (noted === null) return () => {};
  const sent = typeof body === "string" ? body : (JSON.stringify(body) ?? "");
  const request = without(`${method} ${path} ${sent.slice(0, 300)}`, CHANGING);
  const asked: Asked = { request, answer: "" };
  noted.push(asked);
  return (answer) => {
    asked.answer = normalizedAnswer(answer);
  };
}
