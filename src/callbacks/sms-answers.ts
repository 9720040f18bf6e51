// Inbound SMS: answers to pages, STOP and START. Unknown numbers get no reply: each one costs.
import { message, twiml } from "../channels/phone/twiml.ts";
import { blockNumber, readSmsPages, type SmsPage } from "../db/people/phone-rows.ts";
import { answerCode, readReply, type SmsReply } from "../domain/alerts/notifications/sms-reply.ts";
import { smsText } from "../domain/alerts/notifications/sms-text.ts";
import { isRefusal } from "../domain/shared/refusal.ts";
import {
  type AnswerAlert,
  acknowledgeAlert,
  rejectAlert,
} from "../services/alerts/answer-alert.ts";
import { answerBroadcastBySms } from "./answer-broadcast.ts";
import { answerCoverRequestBySms } from "./answer-cover-request.ts";
import { fromTwilio, phoneContext, sentenceOf, type TwilioRequest, xml } from "./twilio-request.ts";

const EMPTY = twiml();
const HELP =
  "Reply A or R and the code, such as A 4821. A alone works while only one alert is open. " +
  "STOP ends all messages.";

/** A number gets the help text at most this often (ms), to avoid loops with auto-responders. */
const HELP_INTERVAL_MS = 3_600_000;
const MAX_HELP_ENTRIES = 10_000;
const helpSentAt = new Map<string, number>();

/** Alerts listed if several are open. */
const MAX_LISTED = 4;

type AnswerAction = Extract<SmsReply, { kind: "answer" }>["action"];

const ANSWERS: Record<AnswerAction, { readonly answer: AnswerAlert; readonly done: string }> = {
  acknowledge: { answer: acknowledgeAlert, done: "Acknowledged" },
  reject: { answer: rejectAlert, done: "Rejected" },
};

/** `POST /callbacks/twilio/messages`: a message to our number. */
export const serveSmsAnswer = fromTwilio(async (request) => xml(await answerSms(request)));

async function answerSms(request: TwilioRequest): Promise<string> {
  const { env, db, form, now } = request;
  const from = form.get("From") ?? "";
  // `OptOutType` is set if Twilio recognised STOP or START in other words.
  const body = form.get("OptOutType") || form.get("Body") || "";
  const reply = readReply(body);
  if (reply.kind === "stop" || reply.kind === "start") {
    // Twilio itself replies to the sender.
    await blockNumber(db, from, reply.kind === "stop", now);
    return EMPTY;
  }
  const toBroadcast = await answerBroadcastBySms(request, from, reply);
  if (toBroadcast !== null) return twiml(message(toBroadcast));
  const pages = isOurNumber(env, form.get("To") ?? "") ? await readSmsPages(db, from, now) : [];
  const matching = reply.kind === "answer" ? matchingPages(pages, reply.code) : [];
  const toRequest = await answerCoverRequestBySms(request, from, reply, matching.length);
  if (toRequest !== null) return twiml(message(toRequest));
  if (pages.length === 0) return EMPTY;
  if (reply.kind !== "answer") return shouldSendHelp(from, now) ? twiml(message(HELP)) : EMPTY;
  const { action, code } = reply;
  const [page, another] = matching;
  if (page === undefined) return twiml(message(noMatchText(code)));
  if (another !== undefined) return twiml(message(ambiguousText(matching, code, action)));
  const { answer, done } = ANSWERS[action];
  const context = phoneContext(request, page);
  const answered = await answer(context, { form: "id", value: page.alertId });
  const text = isRefusal(answered)
    ? smsText("Nothing was changed. ", sentenceOf(answered), "")
    : smsText(`${done}: `, answered.title, "");
  return twiml(message(text));
}

/** Whether to send the help text to the number now. */
function shouldSendHelp(number: string, now: number): boolean {
  if ((helpSentAt.get(number) ?? 0) > now - HELP_INTERVAL_MS) return false;
  if (helpSentAt.size >= MAX_HELP_ENTRIES) helpSentAt.clear();
  helpSentAt.set(number, now);
  return true;
}

/** Whether the SMS went to our number; with a messaging service, any signed number counts. */
function isOurNumber({ TWILIO_FROM, TWILIO_MESSAGING_SERVICE_SID }: Cloudflare.Env, to: string) {
  return Boolean(TWILIO_MESSAGING_SERVICE_SID) || to === TWILIO_FROM;
}

/** The latest page of each alert: two people who share a number have one each. */
function onePerAlert(pages: readonly SmsPage[]): SmsPage[] {
  const alerts = new Map<string, SmsPage>();
  for (const page of pages) if (!alerts.has(page.alertId)) alerts.set(page.alertId, page);
  return [...alerts.values()];
}

/** The alerts that an answer may mean; without a code, only open ones. */
const matchingPages = (pages: readonly SmsPage[], code: string | null): SmsPage[] =>
  code === null ? onePerAlert(pages.filter((it) => it.isOpen)) : withCode(pages, code);

/** The alerts with the code; only the open ones if there are any. */
function withCode(pages: readonly SmsPage[], code: string): SmsPage[] {
  const coded = onePerAlert(pages.filter((it) => answerCode(it.alertId) === code));
  const open = coded.filter((it) => it.isOpen);
  return open.length > 0 ? open : coded;
}

const noMatchText = (code: string | null) =>
  code === null ? "You have no open alert." : `You have no open alert with the code ${code}.`;

function ambiguousText(matching: readonly SmsPage[], code: string | null, action: AnswerAction) {
  if (code !== null) return `${matching.length} open alerts have the code ${code}. Respond online.`;
  const letter = action === "acknowledge" ? "A" : "R";
  const listed = matching
    .slice(0, MAX_LISTED)
    .map(({ alertId, title }) => `${letter} ${answerCode(alertId)}: ${title.slice(0, 40)}`);
  return smsText(`${matching.length} alerts are open. Reply `, listed.join("; "), "");
}
