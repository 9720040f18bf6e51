// Validates redirect targets that come from a request.

/**
 * The path, query and fragment of `target` on this origin; null if a browser would resolve it to
 * another origin. The result is checked as well as the input: parsing `/.//host` yields the
 * pathname `//host`, which resolves to another host.
 *
 * @param origin origin of the redirecting page
 */
export function sameOriginPath(origin: string, target: string): string | null {
  // Browsers treat a backslash as a slash and drop control characters; our paths have neither.
  if (!target.startsWith("/") || /[\\\p{Cc}]/u.test(target)) return null;
  const first = parseOn(origin, target);
  if (first === null) return null;
  const path = `${first.pathname}${first.search}${first.hash}`;
  const second = path.startsWith("//") ? null : parseOn(origin, path);
  return second?.href === first.href ? path : null;
}

/** The parsed URL if it is on this origin and carries no credentials; else null. */
function parseOn(origin: string, address: string): URL | null {
  if (!URL.canParse(address, origin)) return null;
  const url = new URL(address, origin);
  return url.origin === origin && url.username === "" && url.password === "" ? url : null;
}
