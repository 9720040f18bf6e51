// What may be of any length is shown as far as a phone on a bad connection can load it: the newest of it, and a link to
// all of it. Sizes are bytes of UTF-8, since that is what is sent.

/** What a line costs beside its own text, about: names, times, tags. */
const AROUND_BYTES = 60;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The part of a page that is folded, as its address has it. */
export type Part = "description" | "story" | "comments" | "told" | "data" | "handoff";

/** Whether the address asks to see all of a part. */
export const isWhole = (url: URL, part: Part): boolean =>
  url.searchParams.getAll("whole").includes(part);

function wholeAddress(url: URL, part: Part): string {
  const whole = new URL(url);
  whole.searchParams.append("whole", part);
  return `${whole.pathname}${whole.search}#${part}`;
}

/** The beginning of a text, of so many bytes at most, with `…` where more follows; never cut inside a character. */
export function beginning(text: string, bytes: number): string {
  const encoded = encoder.encode(text);
  if (encoded.length <= bytes) return text;
  const cut = decoder.decode(encoded.subarray(0, bytes)).replace(/\uFFFD+$/, "");
  return `${cut}…`;
}

/** As many of the first items as have room for their texts; one at least. */
export function fitting<Item>(
  items: readonly Item[],
  textOf: (item: Item) => string,
  bytes: number,
): readonly Item[] {
  let left = bytes;
  const over = items.findIndex((item) => {
    left -= AROUND_BYTES + encoder.encode(textOf(item)).length;
    return left < 0;
  });
  return over === -1 ? items : items.slice(0, Math.max(1, over));
}

/** The link to all of a part, where not all of it is shown. */
export const Unfold = ({
  url,
  part,
  children,
}: {
  readonly url: URL;
  readonly part: Part;
  readonly children: string;
}) => (
  <p>
    <a href={wholeAddress(url, part)}>{children}</a>
  </p>
);
