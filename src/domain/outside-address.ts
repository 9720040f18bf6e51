// Addresses that users give us to call (contract 6, Addresses that users enter): https, by a name that everybody can
// look up, nothing inside. Checked when they are saved and again when they are called. Pure.

/** Names that mean something else wherever they are asked for. */
const INSIDE = /(^|\.)(localhost|internal|local|home\.arpa|lan|intranet)$/;

/** The hosts, `name` or `name:port`, that a deployment allows all the same: for local use, by http too. */
export function allowedHosts(variable: string | undefined): ReadonlySet<string> {
  const names = (variable ?? "").split(",").map((name) => name.trim().toLowerCase());
  return new Set(names.filter((name) => name !== ""));
}

/** What is wrong with an address, in words that stand after its parameter's name; null for one that may be called. */
export function addressFault(address: string, allowed: ReadonlySet<string>): string | null {
  const url = URL.parse(address);
  if (url === null || address.length > 2_048) return "must be an https URL";
  if (url.username !== "" || url.password !== "") return "must not have a user name or a password";
  const name = url.hostname.replace(/\.$/, "");
  const isAllowed = allowed.has(name) || allowed.has(url.host);
  if (isAllowed && ["http:", "https:"].includes(url.protocol)) return null;
  if (url.protocol !== "https:") return "must be an https URL";
  // Every way to write an IPv4 address is one of digits and dots by now.
  if (name.startsWith("[") || /^[\d.]+$/.test(name)) return "must name a host, not an IP address";
  return !name.includes(".") || INSIDE.test(name)
    ? "must name a host of the public internet"
    : null;
}
