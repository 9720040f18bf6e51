// Verifies Telnyx's signature of a callback: Ed25519 over the time, a bar and the body as received.
import type { CallbackRequest } from "../callback.ts";

/** How old a callback may be, or how far our clocks may differ (seconds). */
const MAX_AGE = 300;

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (it) => it.charCodeAt(0));

/**
 * Whether Telnyx has signed a callback lately. Never throws.
 *
 * @param publicKey base64 of 32 bytes, as Telnyx shows it
 */
export async function isSignedByTelnyx(
  publicKey: string,
  { headers, body, now }: CallbackRequest,
): Promise<boolean> {
  const time = headers.get("telnyx-timestamp") ?? "";
  const signature = headers.get("telnyx-signature-ed25519") ?? "";
  if (!/^\d{1,12}$/.test(time) || Math.abs(now / 1000 - Number(time)) > MAX_AGE) return false;
  try {
    const algorithm = { name: "Ed25519" };
    const key = await crypto.subtle.importKey("raw", bytesOf(publicKey), algorithm, false, [
      "verify",
    ]);
    const signed = new TextEncoder().encode(`${time}|${body}`);
    return await crypto.subtle.verify(algorithm, key, bytesOf(signature), signed);
  } catch {
    return false;
  }
}
