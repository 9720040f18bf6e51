// The digit pressed during a call about an alert: 1 acknowledges, 2 rejects.
import { callbackUrl, notificationPath } from "../channels/phone/twilio.ts";
import { gather, say, twiml } from "../channels/phone/twiml.ts";
import { readCall } from "../db/people/phone-rows.ts";
import { own } from "../domain/shared/own.ts";
import { isRefusal } from "../domain/shared/refusal.ts";
import {
  type AnswerAlert,
  acknowledgeAlert,
  rejectAlert,
} from "../services/alerts/answer-alert.ts";
import { fromTwilio, phoneContext, sentenceOf, type TwilioRequest, xml } from "./twilio-request.ts";

/** By digit: the answer, and what is said when it is done. */
const ANSWERS: Readonly<Record<string, { readonly answer: AnswerAlert; readonly done: string }>> = {
  "1": { answer: acknowledgeAlert, done: "The alert is acknowledged. Goodbye." },
  "2": { answer: rejectAlert, done: "The alert is rejected. Goodbye." },
};

/** `POST /callbacks/twilio/calls/:account/:person/:id`. */
export const serveCallAnswer = fromTwilio(async (request) => xml(await answerCall(request)));

async function answerCall(request: TwilioRequest): Promise<string> {
  const { env, db, form, notification } = request;
  const page = await readCall(db, notification);
  if (page === null) return twiml(say("This alert is no longer assigned to you. Goodbye."));
  const chosen = own(ANSWERS, form.get("Digits") ?? "");
  const address = callbackUrl(env, `calls/${notificationPath(notification)}`);
  if (chosen === undefined && address !== null) {
    const retryPrompt = say("Invalid key. Press 1 to acknowledge, or 2 to reject.");
    return twiml(gather(address, retryPrompt), say("No key was pressed. Goodbye."));
  }
  if (chosen === undefined) return twiml(say("Invalid key. Goodbye."));
  const context = phoneContext(request, page);
  const answered = await chosen.answer(context, { form: "id", value: page.alertId });
  const text = isRefusal(answered) ? `Nothing was changed. ${sentenceOf(answered)}` : chosen.done;
  return twiml(say(text));
}
