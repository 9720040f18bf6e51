// The people of an account whom an absence may ask.
import { type SQL, sql } from "drizzle-orm";
import { parseIdentifier } from "../../../domain/shared/identifiers.ts";
import { identified } from "../../../kernel/db/identified.ts";
import { assertPrecondition } from "../../../kernel/db/precondition.ts";
import { select, truth } from "../../../kernel/db/select.ts";
import { memberName } from "../../people/contacts/recipient-rows.ts";
import { eventAttendees, events } from "../../schema/oncall.ts";
import { accountUsers, users } from "../../schema/people.ts";

/** Selects the active members in the newest roster of an event, in the order of the rotation. */
export const selectRotationPeople = (accountId: string, eventId: string | null | undefined) => {
  const identifier = parseIdentifier("event", eventId ?? "");
  return select(
    { id: eventAttendees.accountUserId },
    sql`from ${events} join ${eventAttendees} on ${eventAttendees.eventId} = ${events.id}
      join ${accountUsers} on ${accountUsers.id} = ${eventAttendees.accountUserId}
        and ${accountUsers.state} = 'active'
      where ${events.accountId} = ${accountId}
        and ${identifier === null ? sql`false` : identified(events, identifier)}
      group by ${eventAttendees.accountUserId} order by min(${eventAttendees.position})`,
  );
};

/** Selects the names of some members, and whether they have joined the account. */
export const selectMembers = (accountId: string, ids: readonly string[]) =>
  select(
    {
      id: accountUsers.id,
      name: memberName,
      isActive: truth(sql`${accountUsers.state} = 'active'`),
    },
    sql`from ${accountUsers} join ${users} on ${users.id} = ${accountUsers.userId}
      where ${accountUsers.accountId} = ${accountId}
        and ${accountUsers.id} in (select value from json_each(${JSON.stringify(ids)}))`,
  );

/** The precondition that all of them are active members. */
export const assertMembers = (accountId: string, ids: readonly string[]): SQL =>
  assertPrecondition(sql`(select count(*) from ${accountUsers}
    where ${accountUsers.accountId} = ${accountId} and ${accountUsers.state} = 'active'
      and ${accountUsers.id} in (select value from json_each(${JSON.stringify(ids)}))) = ${ids.length}`);
