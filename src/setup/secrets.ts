// The secrets that are generated at random once. A deployment's secrets are stored only in
// Cloudflare, those of a local state beside it.
import { createECDH, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runWrangler } from "./processes/wrangler.ts";

type Secrets = Readonly<Record<string, string>>;

/** Generators by name of the secret. */
const GENERATORS: Readonly<Record<string, () => string | Promise<string>>> = {
  LINK_SECRET: () => randomBytes(32).toString("base64url"),
  VAPID_PRIVATE_KEY: () => {
    const pair = createECDH("prime256v1");
    pair.generateKeys();
    // `getPrivateKey` drops leading zeros.
    return Buffer.from(pair.getPrivateKey("hex").padStart(64, "0"), "hex").toString("base64url");
  },
};

/**
 * The key of backups is generated for local states only: that of a deployment must be known outside
 * of it, or no backup could be read once the deployment is lost.
 */
const newBackupKey = () => randomBytes(32).toString("base64url");

/** A random first password. */
export const newPassword = (): string =>
  [0, 1, 2, 3].map(() => randomBytes(3).toString("hex")).join("-");

/** The existing secrets plus generated ones for those missing. */
export async function withMissing(existing: Secrets): Promise<Secrets> {
  const missing = Object.entries(GENERATORS).filter(([name]) => !existing[name]);
  const generated = await Promise.all(missing.map(async ([name, make]) => [name, await make()]));
  return { ...existing, ...Object.fromEntries(generated) };
}

/** The secrets of a state, generated at its first start. `others`: more of them, unless there are such. */
export async function storedSecrets(state: string, others: Secrets = {}): Promise<Secrets> {
  const path = join(state, "secrets.json");
  const existing: Secrets = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
  const secrets = { ...others, ...(await withMissing(existing)) };
  mkdirSync(state, { recursive: true });
  writeFileSync(`${path}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return secrets;
}

/** The secrets of a state of `npm start`. */
export const localSecrets = (state: string): Promise<Secrets> =>
  storedSecrets(state, { BACKUP_KEY: newBackupKey() });

async function runOrThrow(args: readonly string[], input = ""): Promise<string> {
  const { code, output, errors } = await runWrangler(args, { input });
  if (code !== 0) throw new Error(`wrangler ${args.join(" ")} failed:\n${output}${errors}`);
  return output;
}

/**
 * Adds the missing secrets to the deployed worker; existing ones stay. Throws with wrangler's
 * output.
 *
 * @param config wrangler's flags for the deployment's configuration
 * @returns the names of the added secrets
 */
export async function putMissingSecrets(config: readonly string[]): Promise<string[]> {
  const listed = JSON.parse(await runOrThrow(["secret", "list", "--format", "json", ...config]));
  const names = (listed as readonly { readonly name: string }[]).map(({ name }) => name);
  const existing = Object.fromEntries(names.map((name) => [name, "existing"]));
  const missing = Object.entries(await withMissing(existing)).filter(
    ([name]) => !(name in existing),
  );
  for (const [name, value] of missing) await runOrThrow(["secret", "put", name, ...config], value);
  return missing.map(([name]) => name);
}
