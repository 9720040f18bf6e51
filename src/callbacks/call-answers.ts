// The digit pressed during a call about an alert: 1 acknowledges, 2 rejects.
import { callbackUrl } from "../channels/phone/twilio.ts";
import { gather, say, twiml } from "../channels/phone/twiml.ts";
import { readCall } from "../db/people/phone-rows.ts";
import { own } from "../domain/shared/own.ts";
import { type AnswerAction, answerAlert } from "./answer-alert.ts";
import { fromTwilio, type TwilioRequest, xml } from "./twilio-request.ts";

const ACTIONS: Readonly<Record<string, AnswerAction>> = { "1": "acknowledge", "2": "reject" };
const DONE: Record<AnswerAction, string> = {
  acknowledge: "The alert is acknowledged. Goodbye.",
  reject: "The alert is rejected. Goodbye.",
};

/** `POST /callbacks/twilio/calls/:id`. */
export const serveCallAnswer = fromTwilio(async (request) => xml(await answer(request)));

async function answer({ env, db, form, id }: TwilioRequest): Promise<string> {
  const page = await readCall(db, id);
  if (page === null) return twiml(say("This alert is no longer assigned to you. Goodbye."));
  const action = own(ACTIONS, form.get("Digits") ?? "");
  const address = callbackUrl(env, `calls/${id}`);
  if (action === undefined && address !== null) {
    const retryPrompt = say("Invalid key. Press 1 to acknowledge, or 2 to reject.");
    return twiml(gather(address, retryPrompt), say("No key was pressed. Goodbye."));
  }
  if (action === undefined) return twiml(say("Invalid key. Goodbye."));
  const answered = await answerAlert(env, page, action);
  const text = answered.kind === "done" ? DONE[action] : `Nothing was changed. ${answered.why}`;
  return twiml(say(text));
}
