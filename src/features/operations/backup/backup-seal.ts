// What encrypts a backup's secrets and authenticates all of it. One secret, `BACKUP_KEY`, of which three
// keys are derived (HKDF-SHA-256): one encrypts, one makes digests, and one is the token with which
// backups are read and restored, so that the secret itself is never sent.
import type {
  BackupManifest,
  SignedManifest,
} from "../../../domain/operations/backup/backup-format.ts";
import { gunzip, gzip } from "../retention/gzip.ts";

export type BackupKeys = {
  readonly encryption: CryptoKey;
  readonly digest: CryptoKey;
  /** Authorizes `/backup` and `/restore`. */
  readonly token: string;
};

const encoder = new TextEncoder();
/** The first bytes of a sealed file: what it is, and its version. */
const MAGIC = encoder.encode("TOCSIN1\n");
const IV_LENGTH = 12;
const MIN_KEY_LENGTH = 32;

const hexadecimal = (bytes: ArrayBuffer): string => Buffer.from(bytes).toString("hex");

/** Whether a secret is long enough to be the key of backups. */
export const isBackupKey = (secret: string | undefined): secret is string =>
  (secret ?? "").length >= MIN_KEY_LENGTH;

/** The keys of a secret. Deriving takes well under a millisecond. */
export async function backupKeys(secret: string): Promise<BackupKeys> {
  const raw = encoder.encode(secret);
  const base = await crypto.subtle.importKey("raw", raw, "HKDF", false, ["deriveBits"]);
  const derive = (purpose: string) => {
    const salt = encoder.encode("tocsin backup");
    const info = encoder.encode(purpose);
    return crypto.subtle.deriveBits({ name: "HKDF", hash: "SHA-256", salt, info }, base, 256);
  };
  const [encryption, digest, token] = await Promise.all(
    ["encryption", "digest", "token"].map(derive),
  );
  if (!encryption || !digest || !token) throw new Error("no key was derived");
  const hmac = { name: "HMAC", hash: "SHA-256" };
  return {
    encryption: await crypto.subtle.importKey("raw", encryption, "AES-GCM", false, [
      "encrypt",
      "decrypt",
    ]),
    digest: await crypto.subtle.importKey("raw", digest, hmac, false, ["sign", "verify"]),
    token: hexadecimal(token),
  };
}

/** gzip. */
export const compress = async (text: string): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await gzip(text));

/** The inverse. Throws if it is no gzip. */
export const decompress = (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  gunzip(new Blob([bytes]).stream());

/** A digest (HMAC-SHA-256, hexadecimal) that nobody can make, or guess a secret by, without the key. */
export const keyedDigest = async ({ digest }: BackupKeys, text: string): Promise<string> =>
  hexadecimal(await crypto.subtle.sign("HMAC", digest, encoder.encode(text)));

/** Whether a digest is that of the text. */
const isDigestOf = ({ digest }: BackupKeys, given: string, text: string): Promise<boolean> =>
  crypto.subtle.verify("HMAC", digest, Buffer.from(given, "hex"), encoder.encode(text));

const manifestText = (manifest: BackupManifest) => `manifest\n${JSON.stringify(manifest)}`;

/** The manifest with its MAC: it names the parts, their order and their content. */
export const signManifest = async (
  keys: BackupKeys,
  manifest: BackupManifest,
): Promise<SignedManifest> => ({
  ...manifest,
  mac: await keyedDigest(keys, manifestText(manifest)),
});

/** Whether the manifest is as it was signed with this key. */
export function isSigned(keys: BackupKeys, { mac, ...manifest }: SignedManifest): Promise<boolean> {
  return isDigestOf(keys, String(mac), manifestText(manifest));
}

/** The digest of a part's lines: of this backup, this part and this file. */
export const digestOfLines = (
  keys: BackupKeys,
  backupId: string,
  fileName: string,
  lines: string,
): Promise<string> => keyedDigest(keys, `${backupId}\n${fileName}\n${lines}`);

/**
 * Compresses and encrypts (AES-256-GCM). The result is `TOCSIN1\n`, 12 random bytes, and the
 * ciphertext with its tag; backup and name are authenticated, so that files cannot be exchanged.
 */
export async function seal(
  { encryption }: BackupKeys,
  backupId: string,
  name: string,
  text: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_LENGTH));
  const algorithm = { name: "AES-GCM", iv, additionalData: labelOf(backupId, name) };
  const sealed = await crypto.subtle.encrypt(algorithm, encryption, await compress(text));
  return new Uint8Array(await new Blob([MAGIC, iv, sealed]).arrayBuffer());
}

const labelOf = (backupId: string, name: string) => encoder.encode(`${backupId} ${name}`);

/** The inverse. Throws if the key, the backup or the name is another, or a byte was changed. */
export async function unseal(
  { encryption }: BackupKeys,
  backupId: string,
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const from = MAGIC.length + IV_LENGTH;
  if (!MAGIC.every((byte, i) => bytes[i] === byte)) throw new Error("this is no sealed file");
  const iv = bytes.slice(MAGIC.length, from);
  const algorithm = { name: "AES-GCM", iv, additionalData: labelOf(backupId, name) };
  const opened = await crypto.subtle.decrypt(algorithm, encryption, bytes.slice(from));
  return decompress(new Uint8Array(opened));
}
