// The digit pressed during a call about an alert: 1 acknowledges, 2 rejects.
import { callbackUrl } from "../channels/phone/callback-url.ts";
import type { CallScript } from "../channels/phone/provider.ts";
import { readCall } from "../db/people/phone-rows.ts";
import { own } from "../domain/shared/own.ts";
import { isRefusal } from "../domain/shared/refusal.ts";
import {
  type AnswerAlert,
  acknowledgeAlert,
  rejectAlert,
} from "../services/alerts/answer-alert.ts";
import { recordReport } from "./delivery-reports.ts";
import { type ProviderRequest, phoneContext, sentenceOf } from "./provider-request.ts";

/** By digit: the answer, and what is said when it is done. */
const ANSWERS: Readonly<Record<string, { readonly answer: AnswerAlert; readonly done: string }>> = {
  "1": { answer: acknowledgeAlert, done: "The alert is acknowledged. Goodbye." },
  "2": { answer: rejectAlert, done: "The alert is rejected. Goodbye." },
};

/** `POST /callbacks/<provider>/calls/:account/:person/:id`. */
export async function serveCallAnswer(request: ProviderRequest): Promise<Response> {
  const { env, provider, notification } = request;
  const answerUrl = callbackUrl(env, provider.name, "calls", notification);
  return provider.continueCall(await answerCall(request, answerUrl), answerUrl);
}

/**
 * Whoever presses a key has heard the message. The call is delivered before the answer takes effect,
 * which hangs up all calls that are not: this one still says what was done. Never throws: the answer
 * counts in any case.
 */
async function recordHeard(request: ProviderRequest, id: string, digit: string): Promise<void> {
  if (id === "" || digit === "") return;
  const delivered = { status: "delivered", id, reason: null } as const;
  const recipient = { isRecipientAtFault: false, isUnsubscribed: false } as const;
  try {
    await recordReport(request, request.notification, { ...delivered, ...recipient });
  } catch (error) {
    const details = String(error).slice(0, 200);
    console.warn({ message: "a call that was heard could not be recorded", error: details });
  }
}

const say = (text: string): CallScript[number] => ({ kind: "say", text });

async function answerCall(request: ProviderRequest, answerUrl: string | null): Promise<CallScript> {
  const { provider, db, body, notification } = request;
  const { id, digit } = provider.readKeyPress(body);
  const [page] = await Promise.all([readCall(db, notification), recordHeard(request, id, digit)]);
  if (page === null) return [say("This alert is no longer assigned to you. Goodbye.")];
  // Some providers call back without a digit too.
  if (digit === "") return [say("No key was pressed. Goodbye.")];
  const chosen = own(ANSWERS, digit);
  if (chosen === undefined && answerUrl !== null) {
    const retryPrompt = "Invalid key. Press 1 to acknowledge, or 2 to reject.";
    return [{ kind: "ask", texts: [retryPrompt] }, say("No key was pressed. Goodbye.")];
  }
  if (chosen === undefined) return [say("Invalid key. Goodbye.")];
  const context = phoneContext(request, page);
  const answered = await chosen.answer(context, { form: "id", value: page.alertId });
  return [say(isRefusal(answered) ? `Nothing was changed. ${sentenceOf(answered)}` : chosen.done)];
}
