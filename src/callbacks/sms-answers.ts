// What people send us by SMS: answers to pages, STOP and START. A stranger gets no answer, since each is paid for.
import { message, twiml } from "../channels/twiml.ts";
import { blockNumber, readSmsPages, type SmsPage } from "../db/phone-rows.ts";
import { answerCode, readReply } from "../domain/sms-reply.ts";
import { smsText } from "../domain/sms-text.ts";
import { type AnswerAction, answerAlert } from "./answer-alert.ts";
import { answerBroadcastBySms } from "./answer-broadcast.ts";
import { fromTwilio, type TwilioRequest, xml } from "./twilio-request.ts";

const NOTHING = twiml();
const HOW =
  "Reply A or R and the code, such as A 4821. A alone works while only one alert is open. " +
  "STOP ends all messages.";

/** A number is told how to answer this often (ms): what answers by itself must not be talked to for ever. */
const TELL_EVERY_MS = 3_600_000;
const MOST_TOLD = 10_000;
const toldAt = new Map<string, number>();

/** Alerts that are named where several are open. */
const MOST_NAMED = 4;

const DONE: Record<AnswerAction, string> = { acknowledge: "Acknowledged", reject: "Rejected" };

/** `POST /callbacks/twilio/messages`: a message to our number. */
export const serveSmsAnswer = fromTwilio(async (request) => xml(await answer(request)));

async function answer({ env, db, form, now }: TwilioRequest): Promise<string> {
  const from = form.get("From") ?? "";
  // Where Twilio knows STOP in other words, it says what it took it for.
  const word = form.get("OptOutType") || form.get("Body") || "";
  const reply = readReply(word);
  if (reply.kind === "stop" || reply.kind === "start") {
    // Twilio itself tells the sender so.
    await blockNumber(db, from, reply.kind === "stop", now);
    return NOTHING;
  }
  const toBroadcast = await answerBroadcastBySms({ env, db, now }, from, reply);
  if (toBroadcast !== null) return twiml(message(toBroadcast));
  const pages = isOurs(env, form.get("To") ?? "") ? await readSmsPages(db, from, now) : [];
  if (pages.length === 0) return NOTHING;
  if (reply.kind !== "answer") return tellsHow(from, now) ? twiml(message(HOW)) : NOTHING;
  const { action, code } = reply;
  const meant =
    code === null ? onePerAlert(pages.filter((it) => it.isOpen)) : withCode(pages, code);
  const [page, another] = meant;
  if (page === undefined) return twiml(message(noneMeant(code)));
  if (another !== undefined) return twiml(message(severalMeant(meant, code, action)));
  const answered = await answerAlert(env, page, action);
  const text =
    answered.kind === "done"
      ? smsText(`${DONE[action]}: `, answered.title, "")
      : smsText("Nothing was changed. ", answered.why, "");
  return twiml(message(text));
}

/** Whether the number is to be told now how to answer. */
function tellsHow(number: string, now: number): boolean {
  if ((toldAt.get(number) ?? 0) > now - TELL_EVERY_MS) return false;
  if (toldAt.size >= MOST_TOLD) toldAt.clear();
  toldAt.set(number, now);
  return true;
}

/** The number that sends our pages; of a messaging service, any that Twilio signed for. */
function isOurs({ TWILIO_FROM, TWILIO_MESSAGING_SERVICE_SID }: Cloudflare.Env, to: string) {
  return Boolean(TWILIO_MESSAGING_SERVICE_SID) || to === TWILIO_FROM;
}

/** The latest page of each alert: of a number that two people share, each has one. */
function onePerAlert(pages: readonly SmsPage[]): SmsPage[] {
  const alerts = new Map<string, SmsPage>();
  for (const page of pages) if (!alerts.has(page.alertId)) alerts.set(page.alertId, page);
  return [...alerts.values()];
}

/** The alerts of a code: those that are open, if any is. */
function withCode(pages: readonly SmsPage[], code: string): SmsPage[] {
  const coded = onePerAlert(pages.filter((it) => answerCode(it.alertId) === code));
  const open = coded.filter((it) => it.isOpen);
  return open.length > 0 ? open : coded;
}

const noneMeant = (code: string | null) =>
  code === null ? "You have no open alert." : `You have no open alert with the code ${code}.`;

function severalMeant(meant: readonly SmsPage[], code: string | null, action: AnswerAction) {
  if (code !== null) return `${meant.length} open alerts have the code ${code}. Respond online.`;
  const letter = action === "acknowledge" ? "A" : "R";
  const named = meant
    .slice(0, MOST_NAMED)
    .map(({ alertId, title }) => `${letter} ${answerCode(alertId)}: ${title.slice(0, 40)}`);
  return smsText(`${meant.length} alerts are open. Reply `, named.join("; "), "");
}
