// Copies rows of alerts under new identifiers and at other times, whatever their tables: replaces
// identifiers and instants wherever they stand, alone or within JSON. Pure.
import {
  identifierOf,
  instantOfId,
  parseIdentifier,
  prefixIdOf,
  randomHexOf,
} from "../../../src/domain/shared/identifiers.ts";

export type Value = string | number | bigint | null | Uint8Array;
export type Row = readonly Value[];

/** The instants (epoch ms) between which the originals were made. */
export type Span = { readonly from: number; readonly to: number };

/** One copy of all originals. */
export type Copy = {
  /** How much later it is than the originals (ms). */
  readonly shift: number;
  /** Distinguishes the `Id`s of its events. */
  readonly name: string;
  /** Ten random bytes for an original's, given as hexadecimal digits. */
  readonly randomOf: (hex: string) => Uint8Array;
};

/** The `Id` of the event of an original. A copy's is `event-<copy>-<n>`. */
export const originalName = (n: number): string => `original-${n}`;

const ULID = "[0-7][0-9A-HJKMNP-TV-Z]{25}";
const PREFIX_ID = "[a-z]{3}_[A-Za-z0-9_-]{13}[AQgw]";
const MOMENT = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z`;
const TOKENS = new RegExp(
  String.raw`(?<![A-Za-z0-9])(?:${ULID}|${PREFIX_ID}|${MOMENT}|1\d{12}|original-\d+)(?![A-Za-z0-9])`,
  "g",
);

const isUlid = (text: string) => parseIdentifier("alert", text)?.form === "id";

/** The random parts of the identifiers made in the span, as they occur in the rows. */
export function findIdentities(rows: readonly Row[], { from, to }: Span): Set<string> {
  const found = new Set<string>();
  for (const text of rows.flat()) {
    if (typeof text !== "string") continue;
    for (const [token] of text.matchAll(TOKENS)) {
      const at = isUlid(token) ? instantOfId(token) : 0;
      if (at >= from && at <= to) found.add(randomHexOf({ form: "id", value: token }));
    }
  }
  return found;
}

type Part = string | ((copy: Copy) => string);

/** How a value of a copy is made from the original; null if every copy has the original itself. */
export function compileValue(
  value: Value,
  identities: ReadonlySet<string>,
  span: Span,
): ((copy: Copy) => Value) | null {
  const isWithin = (at: number) => at >= span.from && at <= span.to;
  if (typeof value === "number") return isWithin(value) ? ({ shift }) => value + shift : null;
  if (typeof value !== "string") return null;
  const parts: Part[] = [];
  let end = 0;
  for (const match of value.matchAll(TOKENS)) {
    const replaced = compileToken(match[0], identities, isWithin);
    if (replaced === null) continue;
    parts.push(value.slice(end, match.index), replaced);
    end = match.index + match[0].length;
  }
  if (parts.length === 0) return null;
  parts.push(value.slice(end));
  return (copy) => parts.map((part) => (typeof part === "string" ? part : part(copy))).join("");
}

function compileToken(
  token: string,
  identities: ReadonlySet<string>,
  isWithin: (at: number) => boolean,
): ((copy: Copy) => string) | null {
  if (token.startsWith("original-")) {
    return ({ name }) => `event-${name}-${token.slice("original-".length)}`;
  }
  if (/^\d{13}$/.test(token)) {
    return isWithin(Number(token)) ? ({ shift }) => String(Number(token) + shift) : null;
  }
  if (token.endsWith("Z") && token[10] === "T" && token[4] === "-") {
    const at = Date.parse(token);
    return isWithin(at) ? ({ shift }) => new Date(at + shift).toISOString() : null;
  }
  if (isUlid(token)) {
    const hex = randomHexOf({ form: "id", value: token });
    const at = instantOfId(token);
    return identities.has(hex)
      ? ({ shift, randomOf }) => identifierOf(at + shift, randomOf(hex))
      : null;
  }
  const hex = randomHexOf({ form: "prefix_id", value: token });
  // The kind gives only the three letters, which the original has already.
  return identities.has(hex)
    ? ({ randomOf }) =>
        token.slice(0, 4) + prefixIdOf("alert", identifierOf(0, randomOf(hex))).slice(4)
    : null;
}
