import { sql } from "drizzle-orm";
import { pushSubscriptionRecords } from "../../../db/people/push/push-subscription-records.ts";
import { oneRecord } from "../../../db/records/records.ts";
import { pushSubscriptions } from "../../../db/schema/people.ts";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { commitUnread } from "../../shared/commit.ts";
import type { Context } from "../../shared/context.ts";
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
