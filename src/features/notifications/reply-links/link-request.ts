// The two operations of a link's purpose: show its page, and act. Showing changes nothing, since
// mail scanners and previews open every link.
import type { LinkActor } from "../../../domain/access/actor.ts";
import type { LinkSubject } from "../../../kernel/links.ts";
import type { Context } from "../../change/context.ts";
import type { LinkPage } from "./page.tsx";

export type LinkRequest = {
  readonly env: Cloudflare.Env;
  /** Reads the primary, so that it sees the latest writes. */
  readonly db: D1DatabaseSession;
  readonly subject: LinkSubject;
  /** The query of the address. It selects what the page shows, never what it does. */
  readonly query: URLSearchParams;
  /** Epoch ms. */
  readonly now: number;
  readonly waitUntil: (work: Promise<unknown>) => void;
};

export type LinkPages = {
  /** Renders the page of a GET. */
  readonly show: (request: LinkRequest) => Promise<LinkPage>;
  /** Handles a POST of a button; `action` is the button's value, not validated. */
  readonly act: (request: LinkRequest, action: string) => Promise<LinkPage>;
};

/**
 * The context of a verb that the link's person performs.
 *
 * @param name the person's name, as the page shows it
 */
export function linkContext(
  { env, db, subject, now, waitUntil }: LinkRequest,
  name: string,
): Context<LinkActor> {
  const { accountId, accountUserId } = subject;
  const actor = { kind: "link", accountId, accountUserId, name } as const;
  return { env, db, actor, now, stillAllowed: [], waitUntil };
}
