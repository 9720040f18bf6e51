// Validates user-supplied URLs that we call (contract 6, Addresses that users enter): https, a public host name, no
// internal target. Checked on save and again on each call. Pure.

/** Domains that resolve differently in each network. */
const INTERNAL_NAMES = /(^|\.)(localhost|internal|local|home\.arpa|lan|intranet)$/;

/**
 * Additional hosts that the deployment allows, `name` or `name:port`: for local use, also by http.
 */
export function allowedHosts(variable: string | undefined): ReadonlySet<string> {
  const names = (variable ?? "").split(",").map((name) => name.trim().toLowerCase());
  return new Set(names.filter((name) => name !== ""));
}

/** The validation error of a URL, to follow the parameter's name; null if it may be called. */
export function outboundUrlFault(address: string, allowed: ReadonlySet<string>): string | null {
  const url = URL.parse(address);
  if (url === null || address.length > 2_048) return "must be an https URL";
  if (url.username !== "" || url.password !== "") return "must not have a user name or a password";
  const host = url.hostname.replace(/\.$/, "");
  const isAllowed = allowed.has(host) || allowed.has(url.host);
  if (isAllowed && ["http:", "https:"].includes(url.protocol)) return null;
  if (url.protocol !== "https:") return "must be an https URL";
  // The URL parser has already normalized every notation of an IPv4 address to digits and dots.
  if (host.startsWith("[") || /^[\d.]+$/.test(host)) return "must name a host, not an IP address";
  return !host.includes(".") || INTERNAL_NAMES.test(host)
    ? "must name a host of the public internet"
    : null;
}
