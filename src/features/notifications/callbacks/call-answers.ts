// The digit pressed during a call about an alert: 1 acknowledges, 2 passes on.
import { markedId, providerOf } from "../../../domain/notifications/provider-id.ts";
import { own } from "../../../domain/shared/own.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { withLocalTimes } from "../../../domain/shared/time.ts";
import { logMinorFault } from "../../../kernel/db/log-fault.ts";
import type { CallScript } from "../../../products/phone/provider.ts";
import { type AnswerAlert, acknowledgeAlert, rejectAlert } from "../../alerts/alerts/verbs.ts";
import { type CalledPage, readCall } from "../../people/contacts/phone-rows.ts";
import { recordReport } from "./delivery-reports.ts";
import { actOnce, isAnswered } from "./once.ts";
import { type AboutNotification, phoneContext, refusedWords } from "./provider-request.ts";

/** By digit: the answer, and what is said when it is done. */
const ANSWERS: Readonly<Record<string, { readonly answer: AnswerAlert; readonly done: string }>> = {
  "1": { answer: acknowledgeAlert, done: "The alert is acknowledged. Goodbye." },
  "2": { answer: rejectAlert, done: "The alert is passed on. Goodbye." },
};

/** `POST /callbacks/<provider>/calls/:token`. */
export async function serveCallAnswer(request: AboutNotification): Promise<Response> {
  return request.provider.continueCall(await answerCall(request), request.url);
}

/**
 * Whoever presses a key has heard the message. The call is delivered before the answer takes effect,
 * which hangs up all calls that are not: this one still says what was done. Never throws: the answer
 * counts in any case.
 */
async function recordHeard(request: AboutNotification, id: string): Promise<void> {
  const delivered = { status: "delivered", id, reason: null } as const;
  const recipient = { isRecipientAtFault: false, isUnsubscribed: false } as const;
  try {
    await recordReport(request, request.notification, { ...delivered, ...recipient });
  } catch (error) {
    logMinorFault("a call that was heard could not be recorded", error);
  }
}

/**
 * Whether it is the notification's call. A call whose provider did not answer in time is made again, and
 * then the first one may ring too: it is of another provider, or of an earlier attempt.
 */
const isItsCall = ({ providerId, attempts }: CalledPage, provider: string, id: string): boolean =>
  attempts > 1 ||
  providerOf("voice", providerId) !== provider ||
  providerId === markedId(provider, id);

const say = (text: string): CallScript[number] => ({ kind: "say", text });

async function answerCall(request: AboutNotification): Promise<CallScript> {
  const { provider, db, body, notification, now } = request;
  const { id, digit } = provider.readKeyPress(body);
  const page = await readCall(db, notification);
  if (page === null || !isItsCall(page, provider.name, id)) {
    return [say("This alert is no longer assigned to you. Goodbye.")];
  }
  // Some providers call back without a digit too.
  if (digit === "") return [say("No key was pressed. Goodbye.")];
  if (id !== "") await recordHeard(request, id);
  const chosen = own(ANSWERS, digit);
  if (chosen === undefined) {
    const retryPrompt = "Invalid key. Press 1 to acknowledge, or 2 to pass on.";
    return [{ kind: "ask", texts: [retryPrompt] }, say("No key was pressed. Goodbye.")];
  }
  const context = phoneContext(request, page);
  const answer = () => chosen.answer(context, { form: "id", value: page.alertId });
  const once = { by: provider.name, what: [notification.id, digit], now };
  const answered = await actOnce(db, once, answer, isAnswered);
  if (answered === null) return [say("Your answer was received before. Goodbye.")];
  if (!isRefusal(answered)) return [say(chosen.done)];
  return [say(withLocalTimes(`${refusedWords(answered)} Goodbye.`, page.timeZone, now))];
}
