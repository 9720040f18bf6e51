// Answers to requests for cover by SMS: `A` or `R` with the request's code. Without a code, an
// answer means an alert: nobody takes over a shift by accident.
import type { SmsReply } from "../../../domain/notifications/sms-reply.ts";
import { smsText } from "../../../domain/notifications/sms-text.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { commit } from "../../change/commit.ts";
import { acceptAbsence } from "../../oncall/absences/accept-absence.ts";
import { declineAbsence } from "../../oncall/absences/answer-absence.ts";
import { readSmsRequests } from "../../oncall/absences/sms-request-rows.ts";
import { answerCode, findCoded } from "../../people/channels/answer-code.ts";
import { type ProviderCallback, phoneContext, refusedWords } from "./provider-request.ts";

const ANSWERS = {
  acknowledge: { answer: acceptAbsence, done: "You have accepted. You are on call then." },
  reject: { answer: declineAbsence, done: "You have declined." },
} as const;

/**
 * Answers the request that an SMS refers to, as the owner of the number.
 *
 * @param isOfAlert whether the answer may mean an alert
 * @returns the reply; null if the SMS answers none of their requests
 */
export async function answerCoverRequestBySms(
  request: ProviderCallback,
  from: string,
  { action, codes }: Extract<SmsReply, { kind: "answer" }>,
  isOfAlert: boolean,
): Promise<string | null> {
  const { env, db, now } = request;
  if (codes.length === 0 && isOfAlert) return null;
  const sent = await readSmsRequests(db, from, now);
  const open = sent.filter((it) => it.isOpen);
  if (codes.length === 0) {
    const [latest] = open;
    if (!latest) return null;
    const code = answerCode(env, { ...latest, id: latest.notificationIds.at(-1) ?? "" });
    const letter = action === "acknowledge" ? "A" : "R";
    return `Answer a request for cover with its code, such as ${letter} ${code}.`;
  }
  const foundOpen = findCoded(env, codes, open);
  // An alert with the code is more urgent than a request that is over.
  if (foundOpen === null && isOfAlert) return null;
  const found = foundOpen ?? findCoded(env, codes, sent);
  if (found === null) return null;
  const [asked, another] = found.matching;
  if (asked === undefined || another !== undefined || isOfAlert) {
    return `Several messages have the code ${found.code}. Answer online.`;
  }
  const { answer, done } = ANSWERS[action];
  const context = phoneContext(request, asked);
  const absence = { form: "id", value: asked.id } as const;
  const answered = await commit(context, () => answer(context, absence));
  return isRefusal(answered) ? smsText("", refusedWords(answered), "") : done;
}
