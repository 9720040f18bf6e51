// Links in messages: each is for one person, one record and one purpose, signed, and ends. Whoever holds one acts as
// that person on that record and can do nothing else; whether the person still may is asked when it is used.
import { sign, verify } from "hono/jwt";
import type { ChannelMessage } from "../../domain/alerts/notifications/page.ts";

const LINK_PURPOSES = ["alert", "broadcast", "invitation"] as const;
export type LinkPurpose = (typeof LINK_PURPOSES)[number];

/** What a link is for. `recordId` is the alert's, the broadcast's or, for an invitation, the account user's own id. */
export type LinkSubject = {
  readonly purpose: LinkPurpose;
  readonly accountId: string;
  readonly recordId: string;
  readonly accountUserId: string;
};

export type LinkRead =
  | { readonly kind: "link"; readonly subject: LinkSubject }
  /** It was one of ours, and its time is over. */
  | { readonly kind: "expired" }
  | { readonly kind: "unknown" };

const ALGORITHM = "HS256";

/** Where links live: below the deployment's address. */
export const LINK_PATH = "/a/";

/** How long after its message a link may be used, by its purpose (ms). */
const LIFE_MS: Record<LinkPurpose, number> = {
  alert: 7 * 86_400_000,
  broadcast: 30 * 86_400_000,
  invitation: 14 * 86_400_000,
};

/** Whether this deployment has links: a secret to sign them, and an address to put before them. */
export function hasLinks(env: Cloudflare.Env): boolean {
  return Boolean(env.LINK_SECRET && env.PUBLIC_URL);
}

/**
 * The address of a person's page on an alert, a broadcast or an invitation; null where the deployment has no links.
 * The same for the same subject and instant, so that a message that is sent again is the same message.
 *
 * @param at when the message was decided (epoch ms): the link's time counts from there
 */
export async function actionLink(
  env: Pick<Cloudflare.Env, "LINK_SECRET" | "PUBLIC_URL">,
  { purpose, accountId, recordId, accountUserId }: LinkSubject,
  at: number,
): Promise<string | null> {
  const claims = { aud: purpose, acc: accountId, rec: recordId, sub: accountUserId };
  return signedLink(env, LINK_PATH, claims, at + LIFE_MS[purpose]);
}

/** An address below `path` that ends with what is claimed, signed; null where the deployment has no links. */
export async function signedLink(
  env: Pick<Cloudflare.Env, "LINK_SECRET" | "PUBLIC_URL">,
  path: string,
  claims: Readonly<Record<string, string>>,
  endsAt: number,
): Promise<string | null> {
  if (!env.LINK_SECRET || !env.PUBLIC_URL) return null;
  const exp = Math.floor(endsAt / 1000);
  const token = await sign({ ...claims, exp }, env.LINK_SECRET, ALGORITHM);
  return `${env.PUBLIC_URL.replace(/\/+$/, "")}${path}${token}`;
}

/** The address by which a recipient answers a broadcast; null where nothing is asked, or there are no links. */
export async function broadcastLink(
  env: Cloudflare.Env,
  { accountId, page, notice }: ChannelMessage,
): Promise<string | null> {
  const broadcast = notice?.broadcast;
  if (!broadcast || broadcast.options.length === 0) return null;
  const { accountUserId, at } = page;
  const subject = {
    purpose: "broadcast",
    accountId,
    recordId: broadcast.id,
    accountUserId,
  } as const;
  return actionLink(env, subject, at);
}

/** What a link's token says; never throws, whatever it is given. */
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

/** What a token of ours claims under these names, all of them texts; never throws, whatever it is given. */
export async function readClaims(
  env: Cloudflare.Env,
  token: string,
  names: readonly string[],
): Promise<ClaimsRead> {
  if (!env.LINK_SECRET) return { kind: "unknown" };
  try {
    const given = await verify(token, env.LINK_SECRET, ALGORITHM);
    const claims = names.map((name) => given[name]);
    if (!given.exp || !claims.every((claim) => typeof claim === "string")) {
      return { kind: "unknown" };
    }
    return { kind: "claims", purpose: given.aud, claims: claims as string[] };
  } catch (error) {
    return { kind: (await isExpired(env.LINK_SECRET, token, error)) ? "expired" : "unknown" };
  }
}

/** The library looks at the time before the signature: an expired link of ours is told from one made up. */
async function isExpired(secret: string, token: string, error: unknown): Promise<boolean> {
  if ((error as Error).name !== "JwtTokenExpired") return false;
  return verify(token, secret, { alg: ALGORITHM, exp: false }).then(
    () => true,
    () => false,
  );
}
