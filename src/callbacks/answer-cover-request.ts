// Answers to requests for cover by SMS: `A` or `R` with the request's code. Without a code, an
// answer means an alert: nobody takes over a shift by accident.
import { readSmsRequests } from "../db/oncall/requests/sms-request-rows.ts";
import { answerCode, type SmsReply } from "../domain/alerts/notifications/sms-reply.ts";
import { smsText } from "../domain/alerts/notifications/sms-text.ts";
import { isRefusal } from "../domain/shared/refusal.ts";
import { acceptCoverRequest } from "../services/oncall/requests/accept-cover-request.ts";
import { declineCoverRequest } from "../services/oncall/requests/answer-cover-request.ts";
import { type ProviderRequest, phoneContext, sentenceOf } from "./provider-request.ts";

const ANSWERS = {
  acknowledge: { answer: acceptCoverRequest, done: "You have accepted. You are on call then." },
  reject: { answer: declineCoverRequest, done: "You have declined." },
} as const;

/**
 * Answers the request that an SMS refers to, as the owner of the number.
 *
 * @param alerts how many alerts the answer may mean
 * @returns the reply; null if the SMS answers none of their requests
 */
export async function answerCoverRequestBySms(
  request: ProviderRequest,
  from: string,
  reply: SmsReply,
  alerts: number,
): Promise<string | null> {
  const { db, now } = request;
  if (reply.kind !== "answer") return null;
  const { action, code } = reply;
  if (code === null && alerts > 0) return null;
  const sent = await readSmsRequests(db, from, now);
  if (code === null) {
    const [open] = sent.filter((it) => it.isOpen);
    if (!open) return null;
    const letter = action === "acknowledge" ? "A" : "R";
    return `Answer a request for cover with its code, such as ${letter} ${answerCode(open.id)}.`;
  }
  const coded = sent.filter(({ id }) => answerCode(id) === code);
  const open = coded.filter((it) => it.isOpen);
  const matching = open.length > 0 ? open : coded;
  const [asked, another] = matching;
  // An alert with the code is more urgent than a request that is over.
  if (asked === undefined || (alerts > 0 && open.length === 0)) return null;
  if (another !== undefined || alerts > 0) {
    return `Several messages have the code ${code}. Answer online.`;
  }
  const { answer, done } = ANSWERS[action];
  const answered = await answer(phoneContext(request, asked), { form: "id", value: asked.id });
  return isRefusal(answered) ? smsText("Nothing was changed. ", sentenceOf(answered), "") : done;
}
