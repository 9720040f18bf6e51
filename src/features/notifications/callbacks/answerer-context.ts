// The context in which a person answers by a provider's callback.
import type { Context as HonoContext } from "hono";
import type { LinkActor } from "../../../domain/access/actor.ts";
import type { Environment } from "../../../kernel/http/serve.ts";
import type { Context } from "../../change/context.ts";

/** The context of a verb that the person performs by a link or a button in a message. */
export function answererContext(
  { env, executionCtx }: HonoContext<Environment>,
  db: D1DatabaseSession,
  { accountId, accountUserId, name }: Omit<LinkActor, "kind">,
): Context<LinkActor> {
  const actor = { kind: "link", accountId, accountUserId, name } as const;
  const waitUntil = (work: Promise<unknown>) => executionCtx.waitUntil(work);
  return { env, db, actor, now: Date.now(), stillAllowed: [], waitUntil };
}
