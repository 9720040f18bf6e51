import { eq, type SQL } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import { calendarFeeds } from "../../schema/calendar-feeds.ts";

/** The feeds an actor can access: all of the account for an admin (undefined), else their own. */
export const accessibleFeeds = ({ roles, accountUserId }: MemberActor): SQL | undefined =>
  roles.admin ? undefined : eq(calendarFeeds.accountUserId, accountUserId);
