// Answers to broadcasts by SMS: the broadcast's code and an option's number, as in the message.
import { readSmsBroadcasts } from "../db/broadcasts/sms-broadcast-rows.ts";
import { newId } from "../db/shared/identifiers.ts";
import { answerCode, type SmsReply } from "../domain/alerts/notifications/sms-reply.ts";
import { smsText } from "../domain/alerts/notifications/sms-text.ts";
import { isRefusal } from "../domain/shared/refusal.ts";
import { respondToBroadcast } from "../services/broadcasts/respond-to-broadcast.ts";
import { type ProviderRequest, phoneContext } from "./provider-request.ts";

/**
 * Answers the broadcast that an SMS refers to, as the owner of the number.
 *
 * @returns the reply; null if the SMS answers none of their broadcasts
 */
export async function answerBroadcastBySms(
  request: ProviderRequest,
  from: string,
  reply: SmsReply,
): Promise<string | null> {
  const { db, now } = request;
  if (reply.kind !== "option") return null;
  const sent = await readSmsBroadcasts(db, from, now);
  const matching = sent.filter(({ id }) => answerCode(id) === reply.code);
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
    ? smsText("Nothing was changed. ", responded.errors[0]?.message ?? "", "")
    : smsText("Noted: ", option.value, "");
}
