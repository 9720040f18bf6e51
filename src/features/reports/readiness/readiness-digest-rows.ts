// What the weekly readiness digest of an admin needs: whether they get one, and its problems.
import { sql } from "drizzle-orm";
import type { Channel } from "../../../domain/people/contact.ts";
import type { PersonReach } from "../../../domain/reports/readiness.ts";
import { select } from "../../../kernel/db/select.ts";
import { accounts, accountUsers, users } from "../../schema/people.ts";
import { readinessPeople } from "./readiness-people-records.ts";

/** Selects the time zone of an admin who gets the digest; no row for anybody else. */
export const selectDigestAdmin = (accountId: string, id: string) =>
  select(
    { timeZone: users.timeZone },
    sql`from ${accountUsers} join ${users} on ${users.id} = ${accountUsers.userId}
      join ${accounts} on ${accounts.id} = ${accountUsers.accountId} and ${accounts.readinessDigest}
      where ${accountUsers.accountId} = ${accountId} and ${accountUsers.id} = ${id}
        and ${accountUsers.admin} and ${accountUsers.state} = 'active'
        and ${accountUsers.readinessDigest}`,
  );

/** Selects the active members who cannot be woken, the worst first. */
export function selectUnwakeable(accountId: string, available: ReadonlySet<Channel>, most: number) {
  const { from, attributes } = readinessPeople(available);
  return select(
    {
      name: sql<string>`${attributes.name.sql}`,
      reach: sql<PersonReach>`${attributes.reach.sql}`,
    },
    sql`from ${from} where ${accountUsers.accountId} = ${accountId}
      and ${accountUsers.state} = 'active' and ${attributes.reach.sql} <> 'wakeable'
      order by reach desc, name limit ${most}`,
  );
}
