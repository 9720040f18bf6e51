// Masks an address for people who may know that a message was sent, but not where. Pure.

/** `ada@example.com` → `a***@example.com`, `+4915123467` → `+49*****67`; anything else → `***`. */
export function maskedAddress(address: string): string {
  const at = address.lastIndexOf("@");
  if (at > 0) return `${[...address][0]}***${address.slice(at)}`;
  if (/^\+\d{7,15}$/.test(address)) return `${address.slice(0, 3)}*****${address.slice(-2)}`;
  return "***";
}
