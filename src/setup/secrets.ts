// The secrets that nobody has to get from elsewhere: made at random, once. A deployment's are put where wrangler
// keeps them and nowhere else; a local state's lie beside it.
import { createECDH, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runWrangler } from "./wrangler.ts";

type Secrets = Readonly<Record<string, string>>;

/** By name, how a secret is made. */
const MADE: Readonly<Record<string, () => string | Promise<string>>> = {
  LINK_SECRET: () => randomBytes(32).toString("base64url"),
  VAPID_PRIVATE_KEY: () => {
    const pair = createECDH("prime256v1");
    pair.generateKeys();
    // Written out, a small number is shorter than a key.
    return Buffer.from(pair.getPrivateKey("hex").padStart(64, "0"), "hex").toString("base64url");
  },
};

/** A password to begin with, drawn at random: nobody guesses it. */
export const newPassword = (): string =>
  [0, 1, 2, 3].map(() => randomBytes(3).toString("hex")).join("-");

/** What is held, and the secrets that are missing from it, made. */
export async function withMissing(held: Secrets): Promise<Secrets> {
  const missing = Object.entries(MADE).filter(([name]) => !held[name]);
  const made = await Promise.all(missing.map(async ([name, make]) => [name, await make()]));
  return { ...held, ...Object.fromEntries(made) };
}

/** The secrets of a local state: those it was given at its first start. */
export async function localSecrets(state: string): Promise<Secrets> {
  const path = join(state, "secrets.json");
  const held: Secrets = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
  const secrets = await withMissing(held);
  mkdirSync(state, { recursive: true });
  writeFileSync(path, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  return secrets;
}

async function wrangler(args: readonly string[], input = ""): Promise<string> {
  const { code, output, errors } = await runWrangler(args, undefined, input);
  if (code !== 0) throw new Error(`wrangler ${args.join(" ")} failed:\n${output}${errors}`);
  return output;
}

/**
 * Gives the deployed worker the secrets that it has not; those it has stay. Throws with wrangler's words.
 *
 * @returns their names
 */
export async function putMissingSecrets(): Promise<string[]> {
  const listed = JSON.parse(await wrangler(["secret", "list", "--format", "json"]));
  const names = (listed as readonly { readonly name: string }[]).map(({ name }) => name);
  const held = Object.fromEntries(names.map((name) => [name, "held"]));
  const missing = Object.entries(await withMissing(held)).filter(([name]) => !(name in held));
  for (const [name, value] of missing) await wrangler(["secret", "put", name], value);
  return missing.map(([name]) => name);
}
