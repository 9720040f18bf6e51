// The link by which a person links their account in a chat product: a signed token that names that
// account, sent to it alone. It is followed while signed in here; a page of the console opens it.
import { CHAT_PRODUCTS, type ChatPerson, type ChatProduct } from "../../../domain/people/chat.ts";
import { MINUTE } from "../../../domain/shared/time.ts";
import { readClaims, signedLink } from "../../../kernel/links.ts";

const PURPOSE = "chat_account";
const PATH = "/chat/link/";

/** How long a link is valid (ms). */
const CHAT_LINK_MS = 15 * MINUTE;

export type ChatLinkSubject = {
  readonly accountId: string;
  readonly product: ChatProduct;
  readonly person: ChatPerson;
};

export type ChatLinkRead =
  | { readonly kind: "link"; readonly subject: ChatLinkSubject }
  | { readonly kind: "expired" }
  | { readonly kind: "unknown" };

/** The URL of the page that links the account; null if the deployment has no links. */
export const chatLink = (
  env: Pick<Cloudflare.Env, "LINK_SECRET" | "PUBLIC_URL">,
  { accountId, product, person: { workspaceId, userId, name } }: ChatLinkSubject,
  now: number,
): Promise<string | null> =>
  signedLink(
    env,
    PATH,
    { aud: PURPOSE, acc: accountId, prd: product, wsp: workspaceId, sub: userId, nam: name },
    now + CHAT_LINK_MS,
  );

/** Verifies the token of a link. Never throws. */
export async function readChatLink(env: Cloudflare.Env, token: string): Promise<ChatLinkRead> {
  const read = await readClaims(env, token, ["acc", "prd", "wsp", "sub", "nam"]);
  if (read.kind !== "claims") return read;
  const [accountId = "", named, workspaceId = "", userId = "", name = ""] = read.claims;
  const product = CHAT_PRODUCTS.find((it) => it === named);
  if (read.purpose !== PURPOSE || product === undefined) return { kind: "unknown" };
  return { kind: "link", subject: { accountId, product, person: { workspaceId, userId, name } } };
}
