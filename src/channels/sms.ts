// SMS: one text of at most two segments, which can be answered by SMS. An alert's
// description is never part of it.
import type {
  BroadcastInPage,
  Bundle,
  ChannelMessage,
  CoverRequestInPage,
} from "../domain/alerts/notifications/page.ts";
import { answerCode } from "../domain/alerts/notifications/sms-reply.ts";
import { smsText, toGsm } from "../domain/alerts/notifications/sms-text.ts";
import { titlePrefix } from "../domain/alerts/notifications/title-prefix.ts";
import type { Transport } from "./channel.ts";
import { phoneProviders } from "./phone/providers.ts";
import { sendSms } from "./phone/send.ts";

function smsOf({ alert, page, notice, bundle }: ChannelMessage): string {
  if (bundle !== null) return bundleText(bundle);
  if (notice?.broadcast) return broadcastText(notice.broadcast);
  if (notice?.coverRequest) return coverRequestText(notice.coverRequest, notice.subject);
  if (alert === null) return smsText("", notice?.subject ?? "", "");
  const before = `${alert.urgency.toUpperCase()}: ${titlePrefix(page.event)}`;
  if (page.event !== "alert.open") return smsText(before, alert.title, "");
  const code = answerCode(alert.id);
  return smsText(before, alert.title, `\nReply A ${code} to acknowledge, R ${code} to reject`);
}

function coverRequestText({ id, answerBy }: CoverRequestInPage, subject: string): string {
  if (answerBy === null) return smsText("", subject, "");
  const code = answerCode(id);
  return smsText("", subject, `\nReply A ${code} to accept, R ${code} to decline`);
}

/** Maximum length of the listed response options; if longer, only their numbers are given. */
const MAX_ANSWERS_LENGTH = 110;

function broadcastText({ id, title, description, options }: BroadcastInPage): string {
  const content = description === null ? title : `${title}: ${description}`;
  if (options.length === 0) return smsText("BROADCAST: ", content, "");
  const named = options.map(({ value }, i) => `${i + 1} ${toGsm(value).text.slice(0, 20)}`);
  const answers = named.join(", ");
  const choice = answers.length <= MAX_ANSWERS_LENGTH ? answers : `1 to ${options.length}`;
  return smsText("BROADCAST: ", content, `\nReply ${answerCode(id)} and a number: ${choice}`);
}

/** Lists the first alerts of a bundle, each open one with its reply code. */
function bundleText({ kind, alerts, total }: Bundle): string {
  const count = total === 1 ? "1 alert" : `${total} alerts`;
  const open = alerts.filter(({ event }) => event === "alert.open");
  const named = alerts.map(({ id, title, event }) =>
    event === "alert.open"
      ? `${answerCode(id)} ${title.slice(0, 40)}`
      : `${titlePrefix(event)}${title.slice(0, 40)}`,
  );
  const before = `${alerts[0].urgency.toUpperCase()}: ${count}${kind === "digest" ? " held" : ""}: `;
  const after = open.length > 0 ? "\nReply A or R and a code" : "";
  return smsText(before, named.join("; "), after);
}

export const sms: Transport = {
  channel: "sms",
  isSetUp: (env) => phoneProviders(env, "sms").length > 0,
  send: (env, { to }, message, id, tried) => {
    const { accountId, page } = message;
    const notification = { accountId, accountUserId: page.accountUserId, id };
    return sendSms(env, { to, text: smsOf(message) }, notification, tried);
  },
};
