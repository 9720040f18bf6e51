// A rules document as it was written: its values, each with where it stands, so that every fault that is found in
// it can be pointed at. Plain data, bounded by `parse.ts`.

type Scalar = string | number | boolean | null;

/** Where something stands (both from 1), and the way to it: `rules[0].match.alert.title`. */
export type Place = { readonly line: number; readonly column: number; readonly path: string };

export type Entry = { readonly key: string; readonly place: Place; readonly value: Located };

type LocatedScalar = Place & { readonly kind: "scalar"; readonly value: Scalar };
type LocatedList = Place & { readonly kind: "list"; readonly items: readonly Located[] };
export type LocatedMap = Place & { readonly kind: "map"; readonly entries: readonly Entry[] };
export type Located = LocatedScalar | LocatedList | LocatedMap;

/** What is wrong with a document, and where. */
export type Fault = Place & { readonly message: string };

/** More faults than anybody reads at once. */
const MOST_FAULTS = 50;

/** Notes a fault at a place. */
export function fault(faults: Fault[], { line, column, path }: Place, message: string): void {
  if (faults.length < MOST_FAULTS) faults.push({ line, column, path, message });
}

/** `line 4, column 9 (rules[0].match): …`, the form in which faults are shown. */
export function describeFault({ line, column, path, message }: Fault): string {
  return `line ${line}, column ${column}${path === "" ? "" : ` (${path})`}: ${message}`;
}

/** The entry of a key, if the map has it. */
export function entryOf(map: LocatedMap, key: string): Entry | undefined {
  return map.entries.find((entry) => entry.key === key);
}

/** Faults for keys that mean nothing here. */
export function allowKeys(map: LocatedMap, allowed: readonly string[], faults: Fault[]): void {
  for (const { key, place } of map.entries) {
    if (!allowed.includes(key)) {
      fault(faults, place, `unknown key ${shorten(key)}; known are ${allowed.join(", ")}`);
    }
  }
}

/** The value without its places. */
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

/** A name from a document, cut for a message. */
export function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
