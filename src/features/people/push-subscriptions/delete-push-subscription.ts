import { sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { oneRecord } from "../../../kernel/db/records.ts";
import { commitUnread } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { pushSubscriptions } from "../../schema/people.ts";
import { pushSubscriptionRecords } from "./push-subscription-records.ts";
import { pushSubscriptionScope } from "./push-subscription-scope.ts";

/** Unsubscribes a browser of the actor; null, or 404. */
export async function deletePushSubscription(
  context: Context<MemberActor>,
  identifier: Identifier,
): Promise<Refusal | null> {
  const { actor } = context;
  const scope = pushSubscriptionScope(actor);
  const deletion = sql`delete from ${pushSubscriptions}
    where ${oneRecord(pushSubscriptions, actor.accountId, identifier)} and ${scope}`;
  const { before } = await commitUnread(context, {
    verb: "delete",
    records: pushSubscriptionRecords,
    identifier,
    scope,
    writes: [deletion],
  });
  return before ? null : notFound("push_subscription");
}
