// Answers to a standby's question by SMS: `A` with its code, by the admin to whom it was sent.
import { sql } from "drizzle-orm";
import type { SmsReply } from "../../../domain/notifications/sms-reply.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { all, parsed, select } from "../../../kernel/db/select.ts";
import { findCoded } from "../../people/channels/answer-code.ts";
import { ownersOf } from "../../people/contacts/phone-rows.ts";
import { notifications } from "../../schema/alerts.ts";
import { accountUsers } from "../../schema/people.ts";
import { standbyObject } from "../../stubs.ts";
import type { ProviderCallback } from "./provider-request.ts";

const DONE = { take_over: "The standby takes over.", stand_down: "The standby stands down." };

/** Reads the questions that were sent to a number's confirmed owner, who is an admin still. */
const readSmsQuestions = (db: Connection, number: string) =>
  all(
    db,
    select(
      {
        id: notifications.ownerId,
        accountId: notifications.accountId,
        accountUserId: sql<string>`${accountUsers.id}`,
        notificationIds: parsed<readonly string[]>(
          sql`json_group_array(${notifications.id} order by ${notifications.id})`,
        ),
      },
      sql`from ${ownersOf(number)} and ${notifications.channel} = 'sms'
        and ${notifications.to} = ${number} and ${notifications.event} = 'deployment.standby'
        and ${notifications.attempts} > 0 and ${accountUsers.admin} group by 1, 2, 3`,
    ),
  );

/** Answers the question of the SMS's code. Returns the reply; null if the code is of none. */
export async function answerStandbyBySms(
  { env, db }: ProviderCallback,
  from: string,
  { action, codes }: Extract<SmsReply, { kind: "answer" }>,
): Promise<string | null> {
  if (!env.STANDBY_OF) return null;
  const found = findCoded(env, codes, await readSmsQuestions(db, from));
  const [asked, another] = found?.matching ?? [];
  if (asked === undefined) return null;
  if (another !== undefined) return "Several messages have the code. Answer by the link.";
  if (action === "reject") return "Nothing is changed.";
  const { id, accountId, accountUserId } = asked;
  const question = await standbyObject(env).question(id);
  const by = { by: "sms", accountId, accountUserId } as const;
  const isDone = question !== null && (await standbyObject(env).answer(id, by));
  return isDone ? DONE[question.order] : "Nothing is changed: the question is over.";
}
