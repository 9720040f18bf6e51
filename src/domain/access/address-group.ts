// Groups network addresses for rate limits. A subscriber gets an IPv6 /64 or more, so limits on
// single IPv6 addresses have no effect.

/** The 16-bit groups of an IPv6 address with `::` expanded; null if it is not one. */
function groupsOf(address: string): number[] | null {
  const halves = address.split("::");
  if (halves.length > 2) return null;
  const [head = [], tail = []] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const missing = 8 - head.length - tail.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null;
  const groups = [...head, ...Array.from({ length: missing }, () => "0"), ...tail];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null;
  return groups.map((group) => Number.parseInt(group, 16));
}

/** Replaces a trailing `1.2.3.4` in an IPv6 address with two hexadecimal groups. */
const expandDottedQuad = (address: string): string =>
  address.replace(/(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/, (_, ...quad: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = quad.slice(0, 4).map(Number);
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });

/**
 * The rate-limit key of a network address: an IPv4 address itself (also when written as IPv6,
 * `::ffff:192.0.2.1`), or the /64 network of an IPv6 address (`2001:db8:0:1::/64`). Any other text
 * is its own group. A missing address is `unknown`, so such callers share one limit.
 */
export function addressGroup(address: string | null | undefined): string {
  const text = (address ?? "").trim().toLowerCase().replace(/%.*$/, "");
  if (text === "") return "unknown";
  if (!text.includes(":")) return text;
  const groups = groupsOf(expandDottedQuad(text));
  if (groups === null) return text;
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) {
    const [high = 0, low = 0] = groups.slice(6);
    return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  }
  const network = groups.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(":")}::/64`;
}
