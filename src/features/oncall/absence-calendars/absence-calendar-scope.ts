import { eq, type SQL } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import { absenceCalendars } from "../../schema/calendar-imports.ts";

/**
 * The absence calendars an actor can access: all of the account for an admin (undefined), else
 * their own. Their URLs are secrets.
 */
export const accessibleAbsenceCalendars = ({
  roles,
  accountUserId,
}: MemberActor): SQL | undefined =>
  roles.admin ? undefined : eq(absenceCalendars.accountUserId, accountUserId);
