// Links in messages: signed tokens (JWT) with an expiry, each for one person, one record and one
// purpose. Whoever has the link acts as that person on that record and on nothing else. The
// person's permission is checked on use.
import { sign, verify } from "hono/jwt";
import { joinUrl } from "../domain/shared/urls.ts";

const LINK_PURPOSES = ["alert", "broadcast", "cover_request", "invitation", "standby"] as const;
export type LinkPurpose = (typeof LINK_PURPOSES)[number];

/** `recordId`: the id of the record of the purpose; for an invitation, of the account user; of a standby, the question's. */
export type LinkSubject = {
  readonly purpose: LinkPurpose;
  readonly accountId: string;
  readonly recordId: string;
  readonly accountUserId: string;
};

export type LinkRead =
  | { readonly kind: "link"; readonly subject: LinkSubject }
  /** The signature is valid, but the link has expired. */
  | { readonly kind: "expired" }
  | { readonly kind: "unknown" };

const ALGORITHM = "HS256";

/** The path of links below `PUBLIC_URL`. */
export const LINK_PATH = "/a/";

/**
 * How long a link is valid after its message, by purpose (ms); of a request for cover, after the
 * request has expired: the page then shows what became of it.
 */
const LIFETIME_MS: Record<LinkPurpose, number> = {
  alert: 7 * 86_400_000,
  broadcast: 30 * 86_400_000,
  cover_request: 7 * 86_400_000,
  invitation: 14 * 86_400_000,
  standby: 86_400_000,
};

/** Whether this deployment has links: `LINK_SECRET` and `PUBLIC_URL` are set. */
export function hasLinks(env: Cloudflare.Env): boolean {
  return Boolean(env.LINK_SECRET && env.PUBLIC_URL);
}

/**
 * The URL of a person's page for an alert, a broadcast, a request for cover or an invitation; null
 * if the deployment has no links. Deterministic, so that a retried message is identical.
 *
 * @param at when the message was created (epoch ms): the link's lifetime starts then
 */
export async function actionLink(
  env: Pick<Cloudflare.Env, "LINK_SECRET" | "PUBLIC_URL">,
  { purpose, accountId, recordId, accountUserId }: LinkSubject,
  at: number,
): Promise<string | null> {
  const claims = { aud: purpose, acc: accountId, rec: recordId, sub: accountUserId };
  return signedLink(env, LINK_PATH, claims, at + LIFETIME_MS[purpose]);
}

/** The URL of `path` and a signed token with these claims; null if the deployment has no links. */
export async function signedLink(
  env: Pick<Cloudflare.Env, "LINK_SECRET" | "PUBLIC_URL">,
  path: string,
  claims: Readonly<Record<string, string>>,
  endsAt: number,
): Promise<string | null> {
  if (!env.LINK_SECRET || !env.PUBLIC_URL) return null;
  const exp = Math.floor(endsAt / 1000);
  const token = await sign({ ...claims, exp }, env.LINK_SECRET, ALGORITHM);
  return joinUrl(env.PUBLIC_URL, `${path}${token}`);
}

/** Verifies a link's token. Never throws. */
export async function readLink(env: Cloudflare.Env, token: string): Promise<LinkRead> {
  const read = await readClaims(env, token, ["acc", "rec", "sub"]);
  if (read.kind !== "claims") return read;
  const purpose = LINK_PURPOSES.find((it) => it === read.purpose);
  if (!purpose) return { kind: "unknown" };
  const [accountId = "", recordId = "", accountUserId = ""] = read.claims;
  return { kind: "link", subject: { purpose, accountId, recordId, accountUserId } };
}

export type ClaimsRead =
  | { readonly kind: "claims"; readonly purpose: unknown; readonly claims: readonly string[] }
  | { readonly kind: "expired" }
  | { readonly kind: "unknown" };

/**
 * Verifies a token and reads these claims, all of them strings, then those of `optional`, of which a
 * missing one is empty. Never throws.
 */
export async function readClaims(
  env: Cloudflare.Env,
  token: string,
  names: readonly string[],
  optional: readonly string[] = [],
): Promise<ClaimsRead> {
  if (!env.LINK_SECRET) return { kind: "unknown" };
  try {
    const payload = await verify(token, env.LINK_SECRET, ALGORITHM);
    const claims = [
      ...names.map((name) => payload[name]),
      ...optional.map((name) => payload[name] ?? ""),
    ];
    if (!payload.exp || !claims.every((claim) => typeof claim === "string")) {
      return { kind: "unknown" };
    }
    return { kind: "claims", purpose: payload.aud, claims: claims as string[] };
  } catch (error) {
    return { kind: (await isExpired(env.LINK_SECRET, token, error)) ? "expired" : "unknown" };
  }
}

/** The library checks the expiry before the signature, so a forged token could look expired. */
async function isExpired(secret: string, token: string, error: unknown): Promise<boolean> {
  if ((error as Error).name !== "JwtTokenExpired") return false;
  return verify(token, secret, { alg: ALGORITHM, exp: false }).then(
    () => true,
    () => false,
  );
}
