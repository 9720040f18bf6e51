// Answers to broadcasts by SMS: the broadcast's code and an option's number, as in the message.
import { sql } from "drizzle-orm";
import { answerBroadcast } from "../db/broadcasts/broadcast-answers.ts";
import { readSmsBroadcasts } from "../db/broadcasts/sms-broadcast-rows.ts";
import { newId } from "../db/shared/identifiers.ts";
import { answerCode, type SmsReply } from "../domain/alerts/notifications/sms-reply.ts";
import { smsText } from "../domain/alerts/notifications/sms-text.ts";
import { prefixIdOf } from "../domain/shared/identifiers.ts";
import { isRefusal } from "../domain/shared/refusal.ts";
import { broadcastObject } from "../objects/shared/stubs.ts";
import type { TwilioRequest } from "./twilio-request.ts";

/**
 * Answers the broadcast that an SMS refers to, as the owner of the number.
 *
 * @returns the reply; null if the SMS answers none of their broadcasts
 */
export async function answerBroadcastBySms(
  { env, db, now }: Pick<TwilioRequest, "env" | "db" | "now">,
  from: string,
  reply: SmsReply,
): Promise<string | null> {
  if (reply.kind !== "option") return null;
  const sent = await readSmsBroadcasts(db, from, now);
  const matching = sent.filter(({ id }) => answerCode(id) === reply.code);
  const [broadcast, another] = matching;
  if (broadcast === undefined) return null;
  if (another !== undefined && another.id !== broadcast.id) {
    return `${matching.length} broadcasts have the code ${reply.code}. Respond online.`;
  }
  const { id, accountId, accountUserId, options } = broadcast;
  const option = options[reply.option - 1];
  if (option === undefined) return `Reply with a number from 1 to ${options.length}.`;
  const person = { accountId, accountUserId, channel: "sms", recordId: newId(now), now };
  const answer = { ...person, broadcast: { form: "id", value: id } as const, option: option.id };
  const answered = await answerBroadcast(db, answer, sql`select 1`);
  if (isRefusal(answered)) {
    return smsText("Nothing was changed. ", answered.errors[0]?.message ?? "", "");
  }
  if (answered.isClosed) {
    const check = broadcastObject(env, prefixIdOf("broadcast", id)).look();
    await check.catch(() => {});
  }
  return smsText("Noted: ", option.value, "");
}
