import { eq, type SQL } from "drizzle-orm";
import { pushSubscriptions } from "../../../db/schema/people.ts";
import type { MemberActor } from "../../../domain/access/actor.ts";

/** Each person manages only their own subscriptions. */
export const pushSubscriptionScope = ({ accountUserId }: MemberActor): SQL =>
  eq(pushSubscriptions.accountUserId, accountUserId);
