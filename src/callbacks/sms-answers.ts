// Inbound SMS: answers to pages, STOP and START. Unknown numbers get no reply: each one costs.
import type { InboundSms } from "../channels/phone/provider.ts";
import { blockNumber, readSmsPages, type SmsPage } from "../db/people/phone-rows.ts";
import { answerCode, readReply, type SmsReply } from "../domain/alerts/notifications/sms-reply.ts";
import { smsText } from "../domain/alerts/notifications/sms-text.ts";
import { proofNumber } from "../domain/operations/sms-proof.ts";
import { isRefusal } from "../domain/shared/refusal.ts";
import { operationsObject } from "../objects/shared/stubs.ts";
import {
  type AnswerAlert,
  acknowledgeAlert,
  rejectAlert,
} from "../services/alerts/answer-alert.ts";
import { answerBroadcastBySms } from "./answer-broadcast.ts";
import { answerCoverRequestBySms } from "./answer-cover-request.ts";
import { type ProviderRequest, phoneContext, sentenceOf } from "./provider-request.ts";

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

/** `POST /callbacks/<provider>/messages`: a message to one of our numbers. */
export async function serveSmsAnswer(request: ProviderRequest): Promise<Response> {
  const { provider, env, body } = request;
  const sms = provider.readSms(body);
  if (sms === null) return new Response(null, { status: 204 });
  if (sms.to === proofNumber(env.SMS_PROOF_NUMBER)) {
    await operationsObject(env).smsProofArrived(sms.text);
    return provider.replyToSms(env, sms, null);
  }
  return provider.replyToSms(env, sms, await answerSms(request, sms));
}

/** Performs what an SMS says. Returns the reply; null for none. */
async function answerSms(request: ProviderRequest, sms: InboundSms): Promise<string | null> {
  const { provider, env, db, now } = request;
  const { from, to } = sms;
  const reply = readReply(sms.text);
  if (reply.kind === "stop" || reply.kind === "start") {
    // The provider itself replies to the sender.
    await blockNumber(db, from, reply.kind === "stop", now);
    return null;
  }
  const toBroadcast = await answerBroadcastBySms(request, from, reply);
  if (toBroadcast !== null) return toBroadcast;
  const pages = provider.isOwnNumber(env, to) ? await readSmsPages(db, from, now) : [];
  const matching = reply.kind === "answer" ? matchingPages(pages, reply.code) : [];
  const toRequest = await answerCoverRequestBySms(request, from, reply, matching.length);
  if (toRequest !== null) return toRequest;
  if (pages.length === 0) return null;
  if (reply.kind !== "answer") return shouldSendHelp(from, now) ? HELP : null;
  const { action, code } = reply;
  const [page, another] = matching;
  if (page === undefined) return noMatchText(code);
  if (another !== undefined) return ambiguousText(matching, code, action);
  const { answer, done } = ANSWERS[action];
  const context = phoneContext(request, page);
  const answered = await answer(context, { form: "id", value: page.alertId });
  return isRefusal(answered)
    ? smsText("Nothing was changed. ", sentenceOf(answered), "")
    : smsText(`${done}: `, answered.title, "");
}

/** Whether to send the help text to the number now. */
function shouldSendHelp(number: string, now: number): boolean {
  if ((helpSentAt.get(number) ?? 0) > now - HELP_INTERVAL_MS) return false;
  if (helpSentAt.size >= MAX_HELP_ENTRIES) helpSentAt.clear();
  helpSentAt.set(number, now);
  return true;
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
