// What a record shows of a person's email addresses and telephone numbers (contract 2, Users).
import { type SQLWrapper, sql } from "drizzle-orm";
import { jsonFlag } from "../../../kernel/db/json.ts";
import { parsed, select } from "../../../kernel/db/select.ts";
import { userEmails, userPhones, users } from "../../schema/people.ts";
import { isSeenBy, primaryId } from "./contact-rows.ts";
import type { Email, Phone } from "./contract.ts";

/** The addresses of `userId` that an account can see, as JSON, in the order they were added. */
export const emailsOf = (userId: SQLWrapper, accountId: SQLWrapper) =>
  sql<
    readonly Email[]
  >`(select json_group_array(json_object('id', ${userEmails.id}, 'prefix_id', ${userEmails.prefixId},
      'email', ${userEmails.email},
      'primary', ${jsonFlag(sql`${userEmails.id} = ${primaryId(userEmails, userId, accountId)}`)},
      'blocked', ${jsonFlag(sql`${userEmails.blockedAt} is not null`)},
      'verified', ${jsonFlag(sql`${userEmails.verifiedAt} is not null`)}) order by ${userEmails}.rowid)
    from ${userEmails} where ${userEmails.userId} = ${userId} and ${isSeenBy(userEmails, accountId)})`;

/** The numbers of `userId` that an account can see, as JSON, in the order they were added. */
export const phonesOf = (userId: SQLWrapper, accountId: SQLWrapper) =>
  sql<
    readonly Phone[]
  >`(select json_group_array(json_object('id', ${userPhones.id}, 'prefix_id', ${userPhones.prefixId},
      'phone', ${userPhones.phone},
      'primary', ${jsonFlag(sql`${userPhones.id} = ${primaryId(userPhones, userId, accountId)}`)},
      'country', ${userPhones.country}, 'blocked', ${jsonFlag(userPhones.blocked)},
      'confirmation_method', ${userPhones.confirmationMethod},
      'confirmed', ${jsonFlag(sql`${userPhones.confirmedAt} is not null`)}) order by ${userPhones}.rowid)
    from ${userPhones} where ${userPhones.userId} = ${userId} and ${isSeenBy(userPhones, accountId)})`;

const contact = sql`it.value`;

/** Selects an address as an account sees it. */
export const selectShownEmail = (id: string, accountId: string) =>
  select(
    { email: parsed<Email>(contact) },
    sql`from ${users}, json_each(${emailsOf(users.id, sql`${accountId}`)}) as it
      where ${users.id} = (select ${userEmails.userId} from ${userEmails} where ${userEmails.id} = ${id})
        and it.value ->> 'id' = ${id}`,
  );

/** Selects a number as an account sees it. */
export const selectShownPhone = (id: string, accountId: string) =>
  select(
    { phone: parsed<Phone>(contact) },
    sql`from ${users}, json_each(${phonesOf(users.id, sql`${accountId}`)}) as it
      where ${users.id} = (select ${userPhones.userId} from ${userPhones} where ${userPhones.id} = ${id})
        and it.value ->> 'id' = ${id}`,
  );
