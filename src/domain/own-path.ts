// Paths that a browser is redirected to after something from outside has named them.

/**
 * The path, query and fragment that `wanted` means on this origin; null when a browser that resolves it would end up on
 * another origin. The result is proven, not the input: parsing `/.//host` yields the pathname `//host`, which is
 * another host when it is resolved again.
 *
 * @param origin of the page that redirects
 */
export function ownPath(origin: string, wanted: string): string | null {
  // Browsers read a backslash as a slash, and drop tabs and line breaks; no path of ours has any of them.
  if (!wanted.startsWith("/") || /[\\\p{Cc}]/u.test(wanted)) return null;
  const first = parsedOn(origin, wanted);
  if (first === null) return null;
  const path = `${first.pathname}${first.search}${first.hash}`;
  const second = path.startsWith("//") ? null : parsedOn(origin, path);
  return second?.href === first.href ? path : null;
}

/** The URL, when it is on this origin and carries no credentials. */
function parsedOn(origin: string, address: string): URL | null {
  if (!URL.canParse(address, origin)) return null;
  const url = new URL(address, origin);
  return url.origin === origin && url.username === "" && url.password === "" ? url : null;
}
