// The absences for which the owner of a number was asked by SMS.
import { sql } from "drizzle-orm";
import type { Connection } from "../../../kernel/db/database.ts";
import { all, parsed, type RowOf, select, truth } from "../../../kernel/db/select.ts";
import { ownersOf } from "../../people/contacts/phone-rows.ts";
import { absences } from "../../schema/absences.ts";
import { notifications } from "../../schema/alerts.ts";
import { accountUsers, users } from "../../schema/people.ts";

const columns = (now: number) => ({
  id: absences.id,
  accountId: absences.accountId,
  accountUserId: sql<string>`asked.person`,
  /** The person's name. */
  name: sql<string>`asked.name`,
  /** The notifications of it, the latest last. */
  notificationIds: parsed<readonly string[]>(sql`asked.ids`),
  isOpen: truth(sql`${absences.askingStatus} = 'open' and ${absences.askingExpiresAt} > ${now}`),
});

export type SmsRequest = RowOf<ReturnType<typeof columns>>;

/** How long after its hours have begun an absence is matched (ms), and how many are. */
const ANSWERABLE_MS = 7 * 86_400_000;
const MAX_REQUESTS = 100;

/** Reads the absences for which a number's confirmed owners were asked, the latest first. */
export const readSmsRequests = (
  db: Connection,
  number: string,
  now: number,
): Promise<readonly SmsRequest[]> =>
  all(
    db,
    select(
      columns(now),
      sql`from (select ${notifications.accountId} as account_id,
            ${notifications.ownerId} as owner_id, ${accountUsers.id} as person, ${users.name} as name,
            json_group_array(${notifications.id} order by ${notifications.id}) as ids
          from ${ownersOf(number)} and ${notifications.channel} = 'sms'
            and ${notifications.to} = ${number} and ${notifications.event} = 'oncall.cover_request'
            and ${notifications.attempts} > 0
          group by 1, 2, 3) as asked
        join ${absences} on ${absences.id} = asked.owner_id
          and ${absences.accountId} = asked.account_id
          and ${absences.startAt} > ${now - ANSWERABLE_MS}
      order by ${absences.createdAt} desc limit ${MAX_REQUESTS}`,
    ),
  );
