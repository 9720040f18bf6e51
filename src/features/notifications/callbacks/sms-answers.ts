// Inbound SMS: answers to pages, STOP and START. Each message counts once. Unknown numbers get no reply:
// each one costs.
import { readReply, type SmsReply } from "../../../domain/notifications/sms-reply.ts";
import { smsText } from "../../../domain/notifications/sms-text.ts";
import { proofNumber } from "../../../domain/operations/sms-proof.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { HOUR, withLocalTimes } from "../../../domain/shared/time.ts";
import { respond } from "../../../kernel/http/answers.ts";
import type { InboundSms } from "../../../products/phone/provider.ts";
import { type AnswerAlert, acknowledgeAlert, rejectAlert } from "../../alerts/alerts/verbs.ts";
import { answerCode, findCoded } from "../../people/channels/answer-code.ts";
import { blockNumber, readSmsPages, type SmsPage } from "../../people/contacts/phone-rows.ts";
import { stopNumber } from "../../people/contacts/stop-number.ts";
import { operationsObject } from "../../stubs.ts";
import { answerBroadcastBySms } from "./answer-broadcast.ts";
import { answerCoverRequestBySms } from "./answer-cover-request.ts";
import { answerStandbyBySms } from "./answer-standby.ts";
import { actOnce } from "./once.ts";
import { type ProviderCallback, phoneContext, refusedWords } from "./provider-request.ts";

const HELP =
  "That was no answer. Reply A or P and the code of the message, such as A 4821. STOP ends all messages.";

/**
 * A number gets the help text so often in this time (ms): for different messages while an alert waits for
 * an answer, else once. An auto-responder repeats itself, and gets it once.
 */
const HELP_INTERVAL_MS = HOUR;
const MAX_HELP = 5;
/** Wrong codes from a number in this time; after them only the first code of a message counts. */
const MAX_WRONG_CODES = 12;
const MAX_NUMBERS = 10_000;
const helped = new Map<string, { readonly since: number; readonly texts: readonly string[] }>();
const guessed = new Map<string, { readonly since: number; readonly codes: number }>();

/** Alerts listed if an answer names none. */
const MAX_LISTED = 4;

type Answer = Extract<SmsReply, { kind: "answer" }>;

const ANSWERS: Record<
  Answer["action"],
  { readonly answer: AnswerAlert; readonly done: string; readonly letter: string }
> = {
  acknowledge: { answer: acknowledgeAlert, done: "Acknowledged", letter: "A" },
  reject: { answer: rejectAlert, done: "Passed on", letter: "P" },
};

/** `POST /callbacks/<provider>/messages`: a message to one of our numbers. */
export async function serveSmsAnswer(request: ProviderCallback): Promise<Response> {
  const { provider, env, body, db, now } = request;
  const sms = provider.readSms(body);
  if (sms === null) return new Response(null, { status: 204 });
  if (sms.to === proofNumber(env.SMS_PROOF_NUMBER)) {
    await operationsObject(env).smsProofArrived(sms.text);
    return provider.replyToSms(env, sms, null);
  }
  const once = { by: provider.name, what: [sms.id], now };
  const reply = await actOnce(db, once, () => answerSms(request, sms));
  // The provider sends it again.
  if (isRefusal(reply)) return respond(reply, request.requestId);
  return provider.replyToSms(env, sms, reply);
}

/** Performs what an SMS says. Returns the reply; null for none. */
async function answerSms(request: ProviderCallback, sms: InboundSms): Promise<string | null> {
  const { provider, env, db, now } = request;
  const { from, to } = sms;
  const reply = withoutGuesses(readReply(sms.text), from, now);
  // The provider itself replies to the sender.
  if (reply.kind === "stop") await stopNumber(env, db, from, now);
  if (reply.kind === "start") await blockNumber(db, from, false, now);
  if (reply.kind === "stop" || reply.kind === "start") return null;
  const toBroadcast = await answerBroadcastBySms(request, from, reply);
  if (toBroadcast !== null) return toBroadcast;
  const toStandby = reply.kind === "answer" ? await answerStandbyBySms(request, from, reply) : null;
  if (toStandby !== null) return toStandby;
  const pages = provider.isOwnNumber(env, to) ? await readSmsPages(db, from, now) : [];
  const open = pages.filter((it) => it.isOpen);
  if (reply.kind === "answer") {
    const found = findCoded(env, reply.codes, open) ?? findCoded(env, reply.codes, pages);
    const isOfAlert = found !== null || (reply.codes.length === 0 && open.length > 0);
    const toRequest = await answerCoverRequestBySms(request, from, reply, isOfAlert);
    if (toRequest !== null) return toRequest;
    if (found !== null) return answerPages(request, reply, found);
    countWrongCodes(from, reply.codes.length, now);
  }
  if (pages.length === 0) return null;
  if (reply.kind === "answer") return withoutPage(env, reply, open);
  return shouldSendHelp(from, sms.text, open.length > 0, now) ? HELP : null;
}

const guessesOf = (number: string, now: number) => {
  const stored = guessed.get(number);
  return stored && stored.since > now - HELP_INTERVAL_MS ? stored : { since: now, codes: 0 };
};

/** Limits how many codes somebody can try who writes in the name of a number. */
function withoutGuesses(reply: SmsReply, number: string, now: number): SmsReply {
  if (reply.kind !== "answer" || guessesOf(number, now).codes < MAX_WRONG_CODES) return reply;
  return { ...reply, codes: reply.codes.slice(0, 1) };
}

function countWrongCodes(number: string, more: number, now: number): void {
  const { since, codes } = guessesOf(number, now);
  if (guessed.size >= MAX_NUMBERS) guessed.clear();
  guessed.set(number, { since, codes: codes + more });
}

async function answerPages(
  request: ProviderCallback,
  { action }: Answer,
  { code, matching }: { readonly code: string; readonly matching: readonly SmsPage[] },
): Promise<string> {
  const [page, another] = matching;
  if (page === undefined || (another !== undefined && another.alertId !== page.alertId)) {
    return `${matching.length} alerts have the code ${code}. Respond online.`;
  }
  const { answer, done } = ANSWERS[action];
  const answered = await answer(phoneContext(request, page), { form: "id", value: page.alertId });
  if (!isRefusal(answered)) return smsText(`${done}: `, answered.title, "");
  return smsText("", withLocalTimes(refusedWords(answered), page.timeZone, request.now), "");
}

/** What is said to an answer whose code belongs to no message, or that has none. */
function withoutPage(env: Cloudflare.Env, { action, codes }: Answer, open: readonly SmsPage[]) {
  if (open.length === 0) return "You have no open alert.";
  const { letter } = ANSWERS[action];
  const listed = open.slice(0, MAX_LISTED).map(({ accountUserId, notificationIds, title }) => {
    const code = answerCode(env, { accountUserId, id: notificationIds.at(-1) ?? "" });
    return `${letter} ${code ?? ""}: ${title.slice(0, 40)}`;
  });
  const [code] = codes;
  const why = code === undefined ? "An answer needs a code" : `No open alert has the code ${code}`;
  return smsText(`${why}. Reply `, listed.join("; "), "");
}

/** Whether to send the help text to the number now, for a message. */
function shouldSendHelp(number: string, text: string, isAsked: boolean, now: number): boolean {
  const stored = helped.get(number);
  const recent = stored && stored.since > now - HELP_INTERVAL_MS ? stored : null;
  const { since, texts } = recent ?? { since: now, texts: [] };
  if (texts.includes(text) || texts.length >= (isAsked ? MAX_HELP : 1)) return false;
  if (helped.size >= MAX_NUMBERS) helped.clear();
  helped.set(number, { since, texts: [...texts, text] });
  return true;
}
