// The encryption of Web Push messages (RFC 8291, `aes128gcm` of RFC 8188): only the browser that subscribed can read
// them, no push service on the way. Every message has a key pair and a salt of its own.
import { createCipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";

const CURVE = "prime256v1";

/** What a message may hold: a record of 4096 bytes less its header, tag and delimiter. */
export const MOST_BYTES = 4096 - 86 - 16 - 1;

/** The keys of a browser's subscription, base64url: its public point, and the secret it shares with us. */
export type PushKeys = { readonly p256dh: string; readonly auth: string };

const bytesOf = (text: string) => Buffer.from(text, "base64url");

const derive = (secret: Uint8Array, salt: Uint8Array, info: Uint8Array, length: number) =>
  Buffer.from(hkdfSync("sha256", secret, salt, info, length));

/** Whether a browser could have given these: a point of the curve, and sixteen bytes. */
export function arePushKeys({ p256dh, auth }: PushKeys): boolean {
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
 * A text encrypted for one subscription. Throws where it is longer than `MOST_BYTES` or the keys are none.
 *
 * @param chosen the salt and the private key, for a test; else they are drawn
 */
export function encryptPush(
  text: string,
  { p256dh, auth }: PushKeys,
  chosen?: { readonly salt: Uint8Array; readonly privateKey: Uint8Array },
): Uint8Array<ArrayBuffer> {
  const plain = Buffer.from(text, "utf8");
  if (plain.length > MOST_BYTES) throw new Error("the message is too long to be pushed");
  const receiver = bytesOf(p256dh);
  const pair = createECDH(CURVE);
  if (chosen) pair.setPrivateKey(chosen.privateKey);
  else pair.generateKeys();
  const sender = pair.getPublicKey();
  const salt = chosen?.salt ?? randomBytes(16);
  const named = Buffer.concat([Buffer.from("WebPush: info\0"), receiver, sender]);
  const secret = derive(pair.computeSecret(receiver), bytesOf(auth), named, 32);
  const key = derive(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derive(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  // The one record there is ends in the delimiter of a last one.
  const record = [cipher.update(Buffer.concat([plain, Buffer.of(2)])), cipher.final()];
  const header = Buffer.concat([salt, Buffer.of(0, 0, 16, 0, sender.length), sender]);
  return Uint8Array.from(Buffer.concat([header, ...record, cipher.getAuthTag()]));
}
