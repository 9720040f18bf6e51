// What requests are answered, without what differs from run to run: ids, tokens, times.

/** A request and its answer, normalized. */
export type Asked = {
  request: string;
  /** Empty until it is answered. */
  answer: string;
};

type Request = { readonly method: string; readonly path: string; readonly body?: unknown };
type Answer = { readonly status: number; readonly headers: Headers; readonly text: string };

/** Headers that differ from answer to answer, or that the platform adds. */
const OWN_HEADERS = /^(?:x-request-id|x-d1-bookmark|date|content-length|cf-.*|retry-after)$/;

const MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec";
const DAYS = "Mon|Tue|Wed|Thu|Fri|Sat|Sun";

const CHANGING: readonly (readonly [RegExp, string])[] = [
  // Codes of answers by SMS, and what has no digits by chance.
  [/\b(code|A|R) \d{4}\b/g, "$1 <code>"],
  [/name="form_token" value="[^"]*"/g, "<form token>"],
  [/\btok_\w+/g, "<token>"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<uuid>"],
  [
    /\b\d{4}-\d\d-\d\d(?:(?:T|%20| )\d\d(?::|%3A)\d\d(?:(?::|%3A)\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?/g,
    "<time>",
  ],
  [/\b\d{8}T\d{6}Z?/g, "<time>"],
  // A fraction of a time that passes.
  [/\b\d+\.\d{3,}\b/g, "<fraction>"],
  [/\b[a-z]{3}_[\w-]{14}(?![\w-])/g, "<id>"],
  [/\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/gi, "<id>"],
  [/\b[0-9a-f]{16,}\b/gi, "<hex>"],
  [/\b(?=[a-z]*\d)[0-9a-z]{26,}\b/g, "<token>"],
  [/(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{16,}/g, "<token>"],
  [/(?<!\d)1[5-9]\d{8}(?:\d{3})?(?!\d)/g, "<time>"],
  // A subscription at a stand-in of a push service.
  [/\/send\/[\w-]+/g, "/send/<token>"],
  [/\bAccount \d+/g, "Account <n>"],
];

/** The user of an e-mail address, and a number of a telephone: tests number them, or draw them. */
const ADDRESS = /[\w.+-]*\d[\w.+-]*(?=@|%40)|(?:\+|%2B)\d{8,}/g;

/** On a page, every number and every name of a day may be of the time at which it is read. */
const CHANGING_ON_PAGES: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`\\b(?:${MONTHS})[a-z]*\\b|\\b(?:${DAYS})[a-z]*\\b`, "g"), "<day>"],
  [/-?\d+(?:\.\d+)?/g, "<n>"],
];

/** The addresses that a test has sent, in its order: theirs in an answer is compared. */
type Sent = Map<string, number>;

/** A text without what changes; `learns`: its addresses are sent by the test. */
function without(text: string, sent: Sent, changing = CHANGING, learns = false): string {
  const unaddressed = text.replace(ADDRESS, (address) => {
    if (learns && !sent.has(address)) sent.set(address, sent.size + 1);
    return `<address ${sent.get(address) ?? "of another"}>`;
  });
  // Half a character, which a test may send on purpose, cannot be passed on.
  return changing
    .reduce((left, [pattern, name]) => left.replace(pattern, name), unaddressed)
    .toWellFormed();
}

/** A cookie that is set has a random value. */
const withoutCookie = (name: string, value: string) =>
  name === "set-cookie" ? value.replace(/=[^;]+/, "=<value>") : value;

/** An answer in one text: its status, headers and body. */
function normalizedAnswer({ status, headers, text }: Answer, sent: Sent): string {
  const lines = [...headers]
    .filter(([name]) => !OWN_HEADERS.test(name))
    .map(([name, value]) => `${name}: ${without(withoutCookie(name, value), sent)}`);
  const isPage = headers.get("content-type")?.includes("html") ?? false;
  const body = without(text, sent, isPage ? [...CHANGING, ...CHANGING_ON_PAGES] : CHANGING);
  return [String(status), ...lines.sort(), "", body].join("\n");
}

/** What objects and the queue write after an answer is there sooner or later: of its reads, the status is compared. */
export const BACKGROUND =
  /\/(?:logs|alerts|notifications|deliveries|broadcasts|drills|absences|live|metrics)\b/;

/** The notes of the test under way. */
type Notes = {
  readonly list: Asked[];
  readonly sent: Sent;
  /** The requests that are not answered, and whether each was made at the same time as another one that writes. */
  readonly underWay: Map<Asked, { readonly isWrite: boolean; isRaced: boolean }>;
  /** Whether two writes were made at once: which came first decides what is answered from then on. */
  isRaced: boolean;
};

/** How a request is noted whose status the order decides in which two at once were taken up. */
export const AT_ONCE = "at the same time as another: ";

let notes: Notes | null = null;

/** Notes what is asked from now on in a list, or nowhere. */
export function noteAnswersIn(list: Asked[] | null): void {
  notes = list && { list, sent: new Map(), underWay: new Map(), isRaced: false };
}

/** Notes a request; what is returned notes its answer. */
export function noteRequest({ method, path, body }: Request): (answer: Answer) => void {
  if (notes === null) return () => {};
  const own = notes;
  const text = typeof body === "string" ? body : (JSON.stringify(body) ?? "");
  const address = without(`${method} ${path}`, own.sent);
  const asked: Asked = {
    request: `${address} ${without(text.slice(0, 300), own.sent, CHANGING, true)}`,
    answer: "",
  };
  own.list.push(asked);
  const isWrite = method !== "GET";
  const mine = { isWrite, isRaced: false };
  for (const other of own.underWay.values()) {
    if (!isWrite && !other.isWrite) continue;
    mine.isRaced = true;
    other.isRaced = true;
    own.isRaced ||= isWrite && other.isWrite;
  }
  own.underWay.set(asked, mine);
  return (answer) => {
    own.underWay.delete(asked);
    if (own.isRaced) asked.request = method;
    if (mine.isRaced) asked.request = AT_ONCE + asked.request;
    const isPartial = own.isRaced || BACKGROUND.test(path);
    asked.answer = isPartial ? String(answer.status) : normalizedAnswer(answer, own.sent);
  };
}
