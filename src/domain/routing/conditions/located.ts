// A parsed rules document: each value with its source position, so that faults can point to it.
// Plain data, bounded by `parse.ts`.

type Scalar = string | number | boolean | null;

/** A source position (line and column from 1) and the path to it: `rules[0].match.alert.title`. */
export type SourcePosition = {
  readonly line: number;
  readonly column: number;
  readonly path: string;
};

export type MapEntry = {
  readonly key: string;
  readonly place: SourcePosition;
  readonly value: Located;
};

type LocatedScalar = SourcePosition & { readonly kind: "scalar"; readonly value: Scalar };
type LocatedList = SourcePosition & { readonly kind: "list"; readonly items: readonly Located[] };
export type LocatedMap = SourcePosition & {
  readonly kind: "map";
  readonly entries: readonly MapEntry[];
};
export type Located = LocatedScalar | LocatedList | LocatedMap;

/** A validation error with its position. */
export type Fault = SourcePosition & { readonly message: string };

/** Limit on reported faults. */
const MAX_FAULTS = 50;

/** Adds a fault at a position. */
export function fault(
  faults: Fault[],
  { line, column, path }: SourcePosition,
  message: string,
): void {
  if (faults.length < MAX_FAULTS) faults.push({ line, column, path, message });
}

/** Formats a fault for display: `line 4, column 9 (rules[0].match): …`. */
export function describeFault({ line, column, path, message }: Fault): string {
  return `line ${line}, column ${column}${path === "" ? "" : ` (${path})`}: ${message}`;
}

/** The entry of a key, or undefined. */
export function entryOf(map: LocatedMap, key: string): MapEntry | undefined {
  return map.entries.find((entry) => entry.key === key);
}

/** Adds a fault for every unknown key. */
export function allowKeys(map: LocatedMap, allowed: readonly string[], faults: Fault[]): void {
  for (const { key, place } of map.entries) {
    if (!allowed.includes(key)) {
      fault(faults, place, `unknown key ${shorten(key)}; known are ${allowed.join(", ")}`);
    }
  }
}

/** The plain value, without positions. */
export function plain(node: Located): unknown {
  switch (node.kind) {
    case "scalar":
      return node.value;
    case "list":
      return node.items.map(plain);
    case "map":
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value)]));
  }
}

/** Truncates text from a document for a message. */
export function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
