// Validates user-supplied URLs that we call (contract 6, Addresses that users enter): https, a public host name, no
// internal target. Checked on save and again on each call. Pure.

/** Domains that resolve differently in each network, or to no host of the public internet. */
const INTERNAL_NAMES =
  /(^|\.)(localhost|localdomain|internal|intranet|private|corp|home|home\.arpa|lan|local|svc|consul|onion|invalid)$/;

/** Services whose names resolve to whatever address stands in them, or to the loopback. */
const NAMED_ADDRESSES =
  /(^|\.)(nip\.io|sslip\.io|xip\.io|localtest\.me|lvh\.me|vcap\.me|traefik\.me|lacolhost\.com|local\.gd)$/;

/** Below it, only the port of https is one of a web server. */
const FIRST_FREE_PORT = 1024;

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
  if (!host.includes(".") || INTERNAL_NAMES.test(host) || NAMED_ADDRESSES.test(host))
    return "must name a host of the public internet";
  // The parser has left out 443.
  const port = Number(url.port || FIRST_FREE_PORT);
  return port < FIRST_FREE_PORT ? "must have the port 443, or one from 1024 on" : null;
}
