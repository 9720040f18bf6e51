import { eq, type SQL } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import { pushSubscriptions } from "../../schema/people.ts";

/** Each person manages only their own subscriptions. */
export const pushSubscriptionScope = ({ accountUserId }: MemberActor): SQL =>
  eq(pushSubscriptions.accountUserId, accountUserId);
