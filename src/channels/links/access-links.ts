// The links of mails about access. Each is for one person and one of their addresses, signed, and sealed with the state
// in which it was sent: once that is another, the link is over. Pages of the console open them (`src/console/pages`).
import { createHmac, timingSafeEqual } from "node:crypto";
import { readClaims, signedLink } from "./links.ts";

/**
 * `address` proves that somebody reads an address; `password` lets who reads it choose a password; `identity` links them
 * to who they are to the provider of single sign-on.
 */
export type AccessPurpose = "address" | "password" | "identity";

export type AccessSubject = {
  readonly userId: string;
  /** The address's record. */
  readonly emailId: string;
  /** What the link depends on, of which it carries only a seal. */
  readonly state: readonly string[];
};

type AccessLink = Omit<AccessSubject, "state"> & {
  /** Whether what the link depends on is still as it was. */
  readonly isFor: (state: readonly string[]) => boolean;
};

export type AccessRead =
  | { readonly kind: "link"; readonly link: AccessLink }
  /** It was one of ours, and its time is over. */
  | { readonly kind: "expired" }
  | { readonly kind: "unknown" };

const PATHS: Record<AccessPurpose, string> = {
  address: "/verify/",
  password: "/forgotten/",
  identity: "/sign-in/link/",
};

/** How long after it was asked for a link may be used (ms). */
const ACCESS_LIFE_MS: Record<AccessPurpose, number> = {
  address: 7 * 86_400_000,
  password: 30 * 60_000,
  identity: 30 * 60_000,
};

const seal = (secret: string, purpose: AccessPurpose, state: readonly string[]): Buffer =>
  createHmac("sha256", secret)
    .update(JSON.stringify([purpose, ...state]))
    .digest();

/**
 * The address of the page; null where the deployment has no links. The same for the same subject and instant.
 *
 * @param at when it was asked for (epoch ms)
 */
export async function accessLink(
  env: Pick<Cloudflare.Env, "LINK_SECRET" | "PUBLIC_URL">,
  purpose: AccessPurpose,
  { userId, emailId, state }: AccessSubject,
  at: number,
): Promise<string | null> {
  if (!env.LINK_SECRET) return null;
  const seen = seal(env.LINK_SECRET, purpose, state).toString("base64url");
  const claims = { aud: purpose, sub: userId, rec: emailId, seal: seen };
  return signedLink(env, PATHS[purpose], claims, at + ACCESS_LIFE_MS[purpose]);
}

/** What the token of a link for this purpose says; never throws, whatever it is given. */
export async function readAccessLink(
  env: Cloudflare.Env,
  purpose: AccessPurpose,
  token: string,
): Promise<AccessRead> {
  const read = await readClaims(env, token, ["sub", "rec", "seal"]);
  if (read.kind !== "claims") return read;
  if (read.purpose !== purpose) return { kind: "unknown" };
  const [userId = "", emailId = "", sealed = ""] = read.claims;
  const isFor = (state: readonly string[]) => {
    const given = Buffer.from(sealed, "base64url");
    const expected = seal(env.LINK_SECRET ?? "", purpose, state);
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  return { kind: "link", link: { userId, emailId, isFor } };
}
