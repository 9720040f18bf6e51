// Encrypts Web Push messages (RFC 8291, `aes128gcm` of RFC 8188) so that only the subscribed
// browser can read them. Every message has its own key pair and salt.
import { createCipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";

const CURVE = "prime256v1";

/** Maximum size of a message: a record of 4096 bytes less its header, tag and delimiter. */
export const MAX_PUSH_BYTES = 4096 - 86 - 16 - 1;

/** A subscription's keys, base64url: the browser's public key and the authentication secret. */
export type SubscriptionKeys = { readonly p256dh: string; readonly auth: string };

const bytesOf = (text: string) => Buffer.from(text, "base64url");

const derive = (secret: Uint8Array, salt: Uint8Array, info: Uint8Array, length: number) =>
  Buffer.from(hkdfSync("sha256", secret, salt, info, length));

/** Whether the keys are valid: a point on P-256 and sixteen bytes. */
export function arePushKeys({ p256dh, auth }: SubscriptionKeys): boolean {
  const point = bytesOf(p256dh);
  if (point.length !== 65 || point[0] !== 4 || bytesOf(auth).length !== 16) return false;
  const pair = createECDH(CURVE);
  pair.generateKeys();
  try {
    pair.computeSecret(point);
    return true;
  } catch {
    return false;
  }
}

/**
 * Encrypts a text for one subscription. Throws if it exceeds `MAX_PUSH_BYTES` or a key is invalid.
 *
 * @param fixed the salt and the private key, for tests; random by default
 */
export function encryptPush(
  text: string,
  { p256dh, auth }: SubscriptionKeys,
  fixed?: { readonly salt: Uint8Array; readonly privateKey: Uint8Array },
): Uint8Array<ArrayBuffer> {
  const plain = Buffer.from(text, "utf8");
  if (plain.length > MAX_PUSH_BYTES) throw new Error("the message is too long to be pushed");
  const receiver = bytesOf(p256dh);
  const pair = createECDH(CURVE);
  if (fixed) pair.setPrivateKey(fixed.privateKey);
  else pair.generateKeys();
  const sender = pair.getPublicKey();
  const salt = fixed?.salt ?? randomBytes(16);
  const keyInfo = Buffer.concat([Buffer.from("WebPush: info\0"), receiver, sender]);
  const secret = derive(pair.computeSecret(receiver), bytesOf(auth), keyInfo, 32);
  const key = derive(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derive(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  // The only record is the last one, so it ends with the delimiter 2 (RFC 8188, 2).
  const record = [cipher.update(Buffer.concat([plain, Buffer.of(2)])), cipher.final()];
  const header = Buffer.concat([salt, Buffer.of(0, 0, 16, 0, sender.length), sender]);
  return Uint8Array.from(Buffer.concat([header, ...record, cipher.getAuthTag()]));
}
