// The links of mails about access: signed tokens, each for one person and one of their addresses. A
// token has an HMAC of the state in which it was sent and is invalid once that state has changed.
// Pages of the console open them (`src/console/access`).
import { createHmac, timingSafeEqual } from "node:crypto";
import { readClaims, signedLink } from "../../../kernel/links.ts";

/**
 * `address` verifies an address; `password` lets its owner choose a password; `identity` links the
 * person to their identity at the single sign-on provider.
 */
export type AccessPurpose = "address" | "password" | "identity";

export type AccessSubject = {
  readonly userId: string;
  /** The id of the address's record. */
  readonly emailId: string;
  /** The values on which the link depends; the token contains only their HMAC. */
  readonly state: readonly string[];
};

type AccessLink = Omit<AccessSubject, "state"> & {
  /** Whether the state is unchanged since the link was sent. */
  readonly isFor: (state: readonly string[]) => boolean;
};

export type AccessRead =
  | { readonly kind: "link"; readonly link: AccessLink }
  /** The signature is valid, but the link has expired. */
  | { readonly kind: "expired" }
  | { readonly kind: "unknown" };

const PATHS: Record<AccessPurpose, string> = {
  address: "/verify/",
  password: "/forgotten/",
  identity: "/sign-in/link/",
};

/** How long a link is valid after the request, by purpose (ms). */
const ACCESS_LIFETIME_MS: Record<AccessPurpose, number> = {
  address: 7 * 86_400_000,
  password: 30 * 60_000,
  identity: 30 * 60_000,
};

const sealState = (secret: string, purpose: AccessPurpose, state: readonly string[]): Buffer =>
  createHmac("sha256", secret)
    .update(JSON.stringify([purpose, ...state]))
    .digest();

/**
 * The URL of the page; null if the deployment has no links. Deterministic.
 *
 * @param at when the link was requested (epoch ms)
 */
export async function accessLink(
  env: Pick<Cloudflare.Env, "LINK_SECRET" | "PUBLIC_URL">,
  purpose: AccessPurpose,
  { userId, emailId, state }: AccessSubject,
  at: number,
): Promise<string | null> {
  if (!env.LINK_SECRET) return null;
  const seal = sealState(env.LINK_SECRET, purpose, state).toString("base64url");
  const claims = { aud: purpose, sub: userId, rec: emailId, seal };
  return signedLink(env, PATHS[purpose], claims, at + ACCESS_LIFETIME_MS[purpose]);
}

/** Verifies the token of a link for this purpose. Never throws. */
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
    const actual = Buffer.from(sealed, "base64url");
    const expected = sealState(env.LINK_SECRET ?? "", purpose, state);
    return actual.length === expected.length && timingSafeEqual(actual, expected);
  };
  return { kind: "link", link: { userId, emailId, isFor } };
}
