// SMS: one text of at most two segments, which can be answered by SMS. An alert's
// description is never part of it.

import type {
  BroadcastInPage,
  Bundle,
  ChannelMessage,
  CoverRequestInPage,
} from "../../../domain/notifications/page.ts";
import { smsText, toGsm } from "../../../domain/notifications/sms-text.ts";
import { titlePrefix } from "../../../domain/notifications/title-prefix.ts";
import type { StandbyQuestion } from "../../../domain/operations/standby.ts";
import { counted } from "../../../domain/shared/counted.ts";
import type { Transport } from "../../../products/channel.ts";
import { answerCode } from "./answer-code.ts";
import { phoneProviders } from "./phone-providers.ts";
import { sendSms } from "./send.ts";

/** The code of a notification; null without codes. */
type CodeOf = (notificationId: string) => string | null;

function smsOf({ alert, page, notice, bundle }: ChannelMessage, id: string, codeOf: CodeOf) {
  if (bundle !== null) return bundleText(bundle, codeOf);
  const code = codeOf(id);
  if (notice?.broadcast) return broadcastText(notice.broadcast, code);
  if (notice?.coverRequest) return coverRequestText(notice.coverRequest, notice.subject, code);
  if (notice?.standby) return standbyText(notice.standby, notice.subject, code);
  if (alert === null) return smsText("", notice?.subject ?? "", "");
  const before = `${alert.urgency.toUpperCase()}: ${titlePrefix(page.event)}`;
  if (page.event !== "alert.open") return smsText(before, alert.title, "");
  if (code === null) return smsText(before, alert.title, "");
  return smsText(before, alert.title, `\nReply A ${code} to acknowledge, P ${code} to pass on`);
}

function coverRequestText(
  { answerBy }: CoverRequestInPage,
  subject: string,
  code: string | null,
): string {
  if (answerBy === null || code === null) return smsText("", subject, "");
  return smsText("", subject, `\nReply A ${code} to accept, R ${code} to decline`);
}

const ORDERS = { take_over: "to take over", stand_down: "to have it stand down" } as const;

function standbyText(
  { order }: Pick<StandbyQuestion, "order">,
  subject: string,
  code: string | null,
): string {
  return smsText("", subject, code === null ? "" : `\nReply A ${code} ${ORDERS[order]}`);
}

/** Maximum length of the listed response options; if longer, only their numbers are given. */
const MAX_ANSWERS_LENGTH = 110;

function broadcastText(
  { title, description, options }: BroadcastInPage,
  code: string | null,
): string {
  const content = description === null ? title : `${title}: ${description}`;
  if (options.length === 0 || code === null) return smsText("BROADCAST: ", content, "");
  const named = options.map(({ value }, i) => `${i + 1} ${toGsm(value).text.slice(0, 20)}`);
  const answers = named.join(", ");
  const choice = answers.length <= MAX_ANSWERS_LENGTH ? answers : `1 to ${options.length}`;
  return smsText("BROADCAST: ", content, `\nReply ${code} and a number: ${choice}`);
}

/** Lists the first alerts of a bundle, each open one with its reply code. */
function bundleText({ kind, alerts, total }: Bundle, codeOf: CodeOf): string {
  const count = counted(total, "alert");
  const isAsking = alerts.some((it) => it.event === "alert.open" && codeOf(it.notificationId));
  const named = alerts.map(({ notificationId, title, event }) =>
    event === "alert.open"
      ? `${codeOf(notificationId) ?? ""} ${title.slice(0, 40)}`.trim()
      : `${titlePrefix(event)}${title.slice(0, 40)}`,
  );
  const before = `${alerts[0].urgency.toUpperCase()}: ${count}${kind === "digest" ? " held" : ""}: `;
  const after = isAsking ? "\nReply A or P and a code" : "";
  return smsText(before, named.join("; "), after);
}

export const sms: Transport = {
  channel: "sms",
  isSetUp: (env) => phoneProviders(env, "sms").length > 0,
  send: (env, { to }, message, id, tried) => {
    const { accountId, page } = message;
    const { accountUserId } = page;
    const notification = { accountId, accountUserId, id };
    const codeOf: CodeOf = (it) => answerCode(env, { accountUserId, id: it });
    return sendSms(env, { to, text: smsOf(message, id, codeOf) }, notification, tried);
  },
};
