// Discord's signature of its requests (https://docs.discord.com/developers/interactions/overview): Ed25519 over
// the timestamp and the body, with the app's key.
import { MINUTE } from "../../../domain/shared/time.ts";

/** How far a request's timestamp may be from now (ms). */
export const DISCORD_TOLERANCE_MS = 5 * MINUTE;

const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex, "hex"));

/**
 * Whether Discord has signed a request for the app, at most five minutes ago. Never throws.
 *
 * @param publicKey 32 bytes in hexadecimal digits
 * @param body as it was received
 * @param now epoch ms
 */
export async function isSignedByDiscord(
  publicKey: string,
  headers: Headers,
  body: Uint8Array,
  now: number,
): Promise<boolean> {
  const timestamp = headers.get("x-signature-timestamp") ?? "";
  const signature = headers.get("x-signature-ed25519") ?? "";
  if (!/^\d{1,12}$/.test(timestamp) || !/^[0-9a-f]{128}$/i.test(signature)) return false;
  if (Math.abs(now - Number(timestamp) * 1000) > DISCORD_TOLERANCE_MS) return false;
  try {
    const algorithm = { name: "Ed25519" };
    const key = await crypto.subtle.importKey("raw", bytesOf(publicKey), algorithm, false, [
      "verify",
    ]);
    const signed = Buffer.concat([Buffer.from(timestamp), body]);
    return await crypto.subtle.verify(algorithm, key, bytesOf(signature), signed);
  } catch {
    return false;
  }
}
