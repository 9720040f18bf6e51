// Answers to broadcasts by SMS: the broadcast's code and an option's number, as in the message.
import type { SmsReply } from "../../../domain/notifications/sms-reply.ts";
import { smsText } from "../../../domain/notifications/sms-text.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { newId } from "../../../kernel/db/identifiers.ts";
import { respondToBroadcast } from "../../broadcasts/responses/respond-to-broadcast.ts";
import { readSmsBroadcasts } from "../../broadcasts/responses/rows.ts";
import { findCoded } from "../../people/channels/answer-code.ts";
import { type ProviderCallback, phoneContext, refusedWords } from "./provider-request.ts";

/**
 * Answers the broadcast that an SMS refers to, as the owner of the number.
 *
 * @returns the reply; null if the SMS answers none of their broadcasts
 */
export async function answerBroadcastBySms(
  request: ProviderCallback,
  from: string,
  reply: SmsReply,
): Promise<string | null> {
  const { env, db, now } = request;
  if (reply.kind !== "option") return null;
  const sent = await readSmsBroadcasts(db, from, now);
  const { matching = [] } = findCoded(env, [reply.code], sent) ?? {};
  const [broadcast, another] = matching;
  if (broadcast === undefined) return null;
  if (another !== undefined && another.id !== broadcast.id) {
    return `${matching.length} broadcasts have the code ${reply.code}. Respond online.`;
  }
  const { id, options } = broadcast;
  const option = options[reply.option - 1];
  if (option === undefined) return `Reply with a number from 1 to ${options.length}.`;
  const responded = await respondToBroadcast(
    phoneContext(request, broadcast),
    { form: "id", value: id },
    newId(now),
    { broadcast_response_option_id: option.id },
  );
  return isRefusal(responded)
    ? smsText("", refusedWords(responded), "")
    : smsText("Noted: ", option.value, "");
}
