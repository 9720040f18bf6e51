// Limits content of unbounded length to what loads on a phone with a bad connection: the newest of
// it, and a link to all of it. Sizes are bytes of UTF-8.
import { useViewer } from "./viewer.tsx";

/** The approximate size of an item without its text: names, times, tags. */
const ITEM_BYTES = 60;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A foldable part of a page, as named in the query string. */
export type FoldedPart =
  | "description"
  | "timeline"
  | "comments"
  | "notifications"
  | "data"
  | "handoff"
  | "merge"
  | "shifts";

/** Whether the query string requests all of a part. */
export const isWhole = (url: URL, part: FoldedPart): boolean =>
  url.searchParams.getAll("whole").includes(part);

/** The room (bytes) for a part of the page: without end if all of it is requested. */
export const useRoom = (part: FoldedPart, bytes: number): number =>
  isWhole(useViewer().url, part) ? Number.POSITIVE_INFINITY : bytes;

function unfoldedPath(url: URL, part: FoldedPart): string {
  const whole = new URL(url);
  whole.searchParams.append("whole", part);
  return `${whole.pathname}${whole.search}#${part}`;
}

/** Truncates a text to a number of bytes, never inside a character; marks the cut with `…`. */
export function beginning(text: string, bytes: number): string {
  const encoded = encoder.encode(text);
  if (encoded.length <= bytes) return text;
  const cut = decoder.decode(encoded.subarray(0, bytes)).replace(/\uFFFD+$/, "");
  return `${cut}…`;
}

/** The first items whose texts fit into a number of bytes; at least one. */
export function fitting<Item>(
  items: readonly Item[],
  textOf: (item: Item) => string,
  bytes: number,
): readonly Item[] {
  let left = bytes;
  const firstOverflow = items.findIndex((item) => {
    left -= ITEM_BYTES + encoder.encode(textOf(item)).length;
    return left < 0;
  });
  return firstOverflow === -1 ? items : items.slice(0, Math.max(1, firstOverflow));
}

/** The link to all of a part that is truncated. */
export const Unfold = ({
  part,
  children,
}: {
  readonly part: FoldedPart;
  readonly children: string;
}) => (
  <p>
    <a href={unfoldedPath(useViewer().url, part)}>{children}</a>
  </p>
);
