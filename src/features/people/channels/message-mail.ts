// The content of an e-mail about an alert, several alerts, a broadcast or a schedule.

import type { AlertUrgency, PageEvent } from "../../../domain/alerts/alert.ts";
import type { Exercise } from "../../../domain/alerts/exercise.ts";
import type {
  AlertInPage,
  BroadcastInPage,
  Bundle,
  ChannelMessage,
} from "../../../domain/notifications/page.ts";
import { counted } from "../../../domain/shared/counted.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { actionLink } from "../../../kernel/links.ts";
import { broadcastLink, coverRequestLink, standbyLink } from "../../../products/answer-links.ts";
import {
  cut,
  formatMinute,
  type Mail,
  type MailTone,
  oneLine,
} from "../../../products/mail/mail.ts";

type EventText = {
  /** The prefix of the title in the subject. */
  readonly subject: string;
  readonly text: string | null;
  readonly why: string;
};

const NOTIFIED_BEFORE = "You receive this because you were notified of this alert.";

const YOUR_SHIFTS = "You receive this because somebody else changed your on-call shifts.";

const EVENT_TEXTS: Record<PageEvent, EventText> = {
  "alert.open": { subject: "", text: null, why: "" },
  "oncall.handoff": { subject: "", text: null, why: "" },
  "oncall.shift_added": { subject: "", text: null, why: YOUR_SHIFTS },
  "oncall.shift_removed": { subject: "", text: null, why: YOUR_SHIFTS },
  "oncall.shift_changed": { subject: "", text: null, why: YOUR_SHIFTS },
  "oncall.shift_taken": {
    subject: "",
    text: null,
    why: "You receive this because you are an admin of a team that uses the schedule.",
  },
  "oncall.shift_reminder": {
    subject: "",
    text: null,
    why: "You receive this because you asked to be reminded of your shifts.",
  },
  "oncall.digest": {
    subject: "",
    text: null,
    why: "You receive this because you asked for a weekly list of your shifts.",
  },
  "oncall.gap": {
    subject: "",
    text: null,
    why: "You receive this because your team notifies you of gaps in its schedule.",
  },
  "oncall.import_failed": { subject: "", text: null, why: "" },
  "oncall.cover_request": {
    subject: "",
    text: null,
    why: "You receive this because you were asked for cover.",
  },
  "oncall.cover_answer": {
    subject: "",
    text: null,
    why: "You receive this because you asked for cover, or were asked.",
  },
  "broadcast.sent": { subject: "", text: null, why: "" },
  "drill.ended": {
    subject: "",
    text: null,
    why: "You receive this because you started the drill, or are an admin.",
  },
  "account.readiness": {
    subject: "",
    text: null,
    why: "You receive this weekly as an admin while there are such problems. You can opt out on the page Readiness.",
  },
  "account.push_unseen": {
    subject: "",
    text: null,
    why: "You receive this because you enabled push in these browsers.",
  },
  "deployment.standby": {
    subject: "",
    text: null,
    why: "You receive this because you are an admin of the deployment's first account.",
  },
  "alert.acknowledged": {
    subject: "Acknowledged: ",
    text: "Somebody else has acknowledged this alert.",
    why: NOTIFIED_BEFORE,
  },
  "alert.rejected": {
    subject: "Passed on: ",
    text: "Somebody has passed this alert on.",
    why: NOTIFIED_BEFORE,
  },
  "alert.resolved": {
    subject: "Resolved: ",
    text: "This alert is resolved.",
    why: NOTIFIED_BEFORE,
  },
  "alert.dropped": {
    subject: "Unanswered: ",
    text: "Nobody acknowledged this alert, and nobody is left to notify.",
    why: "You receive this because your team notifies you of unanswered alerts.",
  },
  "alert.timeout": {
    subject: "Timed out: ",
    text: "Nobody acknowledged this alert in time.",
    why: NOTIFIED_BEFORE,
  },
  "alert.handoff": {
    subject: "Handed off: ",
    text: "This alert was handed off.",
    why: NOTIFIED_BEFORE,
  },
  "alert.unreached": {
    subject: "Not reached: ",
    text: "A person on call for this alert could not be reached.",
    why: "You receive this because your team notifies you of unanswered alerts.",
  },
};

/** Maximum lengths in characters. */
const MAX_SUBJECT_LENGTH = 200;
const MAX_HEADING_LENGTH = 400;

/** What a mail says of an exercise. */
const EXERCISE_TEXTS = {
  test: "This is a test page that you requested. Acknowledge it as you would a real one.",
  drill:
    "This is a fire drill: nothing is broken. Acknowledge it as you would a real alert; the time is measured.",
} as const satisfies Record<Exercise, string>;

const toneOf = (urgency: AlertUrgency): MailTone =>
  urgency === "critical" ? "urgent" : urgency === "high" ? "high" : "calm";

const EMPTY = { paragraphs: [], quoted: null, facts: [], items: [], buttons: [], footer: [] };

function alertLink(env: Cloudflare.Env, { accountId, page }: ChannelMessage, alertId: string) {
  const { accountUserId, at } = page;
  return actionLink(env, { purpose: "alert", accountId, recordId: alertId, accountUserId }, at);
}

/** Why the person is notified, and what happens if nobody acknowledges. */
function explainNotification({ page }: ChannelMessage, alert: AlertInPage): string[] {
  const where = page.layer === null ? "" : `, step ${page.layer}`;
  const pass = page.pass !== null && page.pass > 1 ? `, pass ${page.pass}` : "";
  const why = `You receive this because the alert was sent to ${oneLine(alert.destinationName, 200)}${where}${pass}.`;
  if (page.until === null) return [why];
  return [why, `If nobody acknowledges by ${formatMinute(page.until)}, the alert escalates.`];
}

const badgeOf = ({ exercise }: AlertInPage, word: string) =>
  exercise === undefined ? word : `${exercise.toUpperCase()} · ${word}`;

async function alertMail(
  env: Cloudflare.Env,
  message: ChannelMessage,
  alert: AlertInPage,
): Promise<Mail> {
  const { page } = message;
  const texts = EVENT_TEXTS[page.event];
  const isOpen = page.event === "alert.open";
  const url = await alertLink(env, message, alert.id);
  const where = page.layer === null ? "" : `, step ${page.layer}`;
  const label = isOpen ? "Acknowledge or pass on" : "Open alert";
  const exercise = alert.exercise ? EXERCISE_TEXTS[alert.exercise] : null;
  const paragraphs = [exercise, texts.text, page.detail].filter((text) => text !== null);
  return {
    ...EMPTY,
    subject: `[${alert.urgency.toUpperCase()}] ${texts.subject}${oneLine(alert.title, MAX_SUBJECT_LENGTH)}`,
    preview: paragraphs[0] ?? oneLine(alert.description ?? alert.destinationName, 120),
    badge: badgeOf(alert, isOpen ? alert.urgency.toUpperCase() : texts.subject.replace(": ", "")),
    tone: isOpen || page.event === "alert.dropped" ? toneOf(alert.urgency) : "calm",
    heading: oneLine(alert.title, MAX_HEADING_LENGTH),
    paragraphs,
    quoted: alert.description === null ? null : cut(alert.description, 2_000),
    facts: [
      ["Urgency", alert.urgency],
      ["Goes to", `${oneLine(alert.destinationName, 200)}${where}`],
      ["Created", formatMinute(alert.createdAt)],
      ["Alert", prefixIdOf("alert", alert.id)],
    ],
    buttons: url === null ? [] : [{ label, url }],
    footer: isOpen ? explainNotification(message, alert) : [texts.why],
  };
}

async function bundleMail(
  env: Cloudflare.Env,
  message: ChannelMessage,
  { kind, alerts, total }: Bundle,
): Promise<Mail> {
  const count = counted(total, "alert");
  const what = kind === "digest" ? `${count} held during your quiet hours` : `${count} at once`;
  const [first] = alerts;
  const items = alerts.map(async (it) => ({
    title: `${EVENT_TEXTS[it.event].subject}${oneLine(it.title, MAX_SUBJECT_LENGTH)}`,
    detail: `${it.urgency}, created ${formatMinute(it.createdAt)}, ${prefixIdOf("alert", it.id)}`,
    url: await alertLink(env, message, it.id),
  }));
  const more = total - alerts.length;
  return {
    ...EMPTY,
    subject: `[${first.urgency.toUpperCase()}] ${what}`,
    preview: oneLine(alerts.map((it) => it.title).join(" · "), 120),
    badge: first.urgency.toUpperCase(),
    tone: toneOf(first.urgency),
    heading: what.charAt(0).toUpperCase() + what.slice(1),
    paragraphs: more > 0 ? [`The ${alerts.length} most urgent, and ${more} more.`] : [],
    items: await Promise.all(items),
    footer:
      kind === "digest"
        ? ["Your notification rule held these alerts until now. They are still open."]
        : ["These alerts were created within a short time and are sent as one message."],
  };
}

/** A request for cover, with a link for each answer. Opening one answers nothing yet. */
async function coverRequestMail(env: Cloudflare.Env, message: ChannelMessage): Promise<Mail> {
  const mail = noticeMail(message);
  const url = await coverRequestLink(env, message);
  if (url === null) return mail;
  const buttons = [
    { label: "Accept", url: `${url}?answer=accept` },
    { label: "Decline", url: `${url}?answer=decline` },
  ];
  return { ...mail, badge: "Cover requested", tone: "high", buttons };
}

/** A standby's question, with a link to the page that answers it. Opening it answers nothing yet. */
async function standbyMail(env: Cloudflare.Env, message: ChannelMessage): Promise<Mail> {
  const mail = noticeMail(message);
  const url = await standbyLink(env, message);
  const label = message.notice?.standby?.order === "take_over" ? "Take over" : "Stand down";
  return { ...mail, tone: "high", buttons: url === null ? [] : [{ label, url }] };
}

const NOTICE_BADGES: Partial<Record<PageEvent, string>> = {
  "drill.ended": "Drill",
  "account.readiness": "Readiness",
  "account.push_unseen": "Push",
  "deployment.standby": "Standby",
};

/** The button of a notice that is about a page of the console; none without a public URL. */
function consoleButtons({ PUBLIC_URL }: Cloudflare.Env, message: ChannelMessage): Mail["buttons"] {
  const { page, notice } = message;
  if (!PUBLIC_URL) return [];
  const url = (path: string) => new URL(path, PUBLIC_URL).href;
  if (page.event === "account.readiness")
    return [{ label: "Open readiness", url: url("/readiness") }];
  if (page.event === "account.push_unseen")
    return [{ label: "Open my settings", url: url("/settings#push") }];
  if (page.event !== "drill.ended") return [];
  return [{ label: "Open report", url: url(`/drills/${notice?.schedule}`) }];
}

function noticeMail({ notice, page }: ChannelMessage): Mail {
  const [first = "", ...rest] = (notice?.text ?? "").trim().split("\n");
  return {
    ...EMPTY,
    subject: oneLine(notice?.subject ?? "", MAX_SUBJECT_LENGTH),
    preview: oneLine(first, 120),
    badge: NOTICE_BADGES[page.event] ?? "On call",
    tone: "calm",
    heading: oneLine(notice?.subject ?? "", MAX_HEADING_LENGTH),
    quoted: [first, ...rest].join("\n"),
    footer: [EVENT_TEXTS[page.event].why].filter((why) => why !== ""),
  };
}

/** A broadcast; its link opens the page with the response options. */
async function broadcastMail(
  env: Cloudflare.Env,
  message: ChannelMessage,
  { title, description, senderName, respondBy, options }: BroadcastInPage,
): Promise<Mail> {
  const url = await broadcastLink(env, message);
  const from = senderName === null ? "" : oneLine(senderName, 100);
  const answers = options.map(({ value }) => oneLine(value, 100)).join(" / ");
  const facts: Mail["facts"] = [
    ...(from === "" ? [] : [["From", from] as const]),
    ...(answers === "" ? [] : [["Responses", answers] as const]),
    ...(answers === "" || respondBy === null
      ? []
      : [["Respond by", formatMinute(respondBy)] as const]),
  ];
  return {
    ...EMPTY,
    subject: `[BROADCAST] ${oneLine(title, MAX_SUBJECT_LENGTH)}`,
    preview: oneLine(description ?? answers, 120),
    badge: options.length === 0 ? "Broadcast" : "Response requested",
    tone: options.length === 0 ? "calm" : "high",
    heading: oneLine(title, MAX_HEADING_LENGTH),
    quoted: description,
    facts,
    buttons: url === null ? [] : [{ label: "Respond", url }],
    footer: ["You receive this because it was sent to you or to one of your teams."],
  };
}

/** The mail of a message, with links if the deployment has them. */
export async function buildMail(env: Cloudflare.Env, message: ChannelMessage): Promise<Mail> {
  if (message.bundle !== null) return bundleMail(env, message, message.bundle);
  if (message.alert !== null) return alertMail(env, message, message.alert);
  if (message.notice?.standby) return standbyMail(env, message);
  if (message.notice?.coverRequest) return coverRequestMail(env, message);
  const broadcast = message.notice?.broadcast ?? null;
  if (broadcast !== null) return broadcastMail(env, message, broadcast);
  return { ...noticeMail(message), buttons: consoleButtons(env, message) };
}

/**
 * The thread id to which all mails to one person about one alert refer, so that mail programs group
 * them; null for other mails. It is no mail's own `Message-ID`: the order of arrival is unknown.
 */
export function threadOf({ alert, bundle, page }: ChannelMessage, domain: string): string | null {
  if (alert === null || bundle !== null) return null;
  const person = prefixIdOf("account_user", page.accountUserId);
  return `<${prefixIdOf("alert", alert.id)}.${person}@${domain}>`;
}
