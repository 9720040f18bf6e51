// E-mail through the `send_email` binding. Knows no idempotency key: what is sent twice arrives twice.
import type { PageEvent } from "../domain/alert.ts";
import { prefixIdOf } from "../domain/identifiers.ts";
import type { Bundle, ChannelMessage } from "../domain/page.ts";
import type { Sent, Transport } from "./channel.ts";

/** Refusals that may pass; whatever else has a code will fail the same way again. */
const TEMPORARY = new Set([
  "E_RATE_LIMIT_EXCEEDED",
  "E_DAILY_LIMIT_EXCEEDED",
  "E_DELIVERY_FAILED",
  "E_INTERNAL_SERVER_ERROR",
]);

/** What a message says before it says what it is about. */
const PREAMBLE: Record<PageEvent, { readonly subject: string; readonly text: readonly string[] }> =
  {
    "alert.open": { subject: "", text: [] },
    "oncall.handoff": { subject: "", text: [] },
    "alert.acknowledged": {
      subject: "Acknowledged: ",
      text: ["Somebody else has acknowledged this alert.", ""],
    },
    "alert.rejected": { subject: "Rejected: ", text: ["Somebody has rejected this alert.", ""] },
    "alert.resolved": { subject: "Resolved: ", text: ["This alert is resolved.", ""] },
    "alert.dropped": {
      subject: "Dropped: ",
      text: ["Nobody answered this alert, and nobody is left to ask.", ""],
    },
    "alert.timeout": { subject: "Not answered: ", text: ["Nobody answered in time.", ""] },
    "alert.handoff": { subject: "Handed off: ", text: ["This alert was handed off.", ""] },
    "alert.unreached": {
      subject: "Could not reach: ",
      text: ["Somebody who was to answer this alert could not be reached.", ""],
    },
  };

/** A subject is one line, and not longer than mail programs show. */
function subjectOf({ alert, page, notice, bundle }: ChannelMessage): string {
  if (bundle !== null) return bundleSubject(bundle);
  const title = (alert?.title ?? notice?.subject ?? "").replace(/\s+/g, " ").trim();
  const short = title.length > 200 ? `${title.slice(0, 199)}…` : title;
  if (alert === null) return short;
  return `[${alert.urgency.toUpperCase()}] ${PREAMBLE[page.event].subject}${short}`;
}

function textOf({ alert, page, notice, bundle }: ChannelMessage): string {
  if (bundle !== null) return bundleText(bundle);
  if (alert === null) return notice?.text ?? "";
  const where = page.layer === null ? "" : `, layer ${page.layer}`;
  const lines = [
    ...PREAMBLE[page.event].text,
    ...(page.detail === null ? [] : [page.detail, ""]),
    alert.title,
    "",
    ...(alert.description ? [alert.description, ""] : []),
    `Urgency: ${alert.urgency}`,
    `For: ${alert.destinationName}${where}`,
    `Since: ${new Date(alert.createdAt).toISOString()}`,
    `Alert: ${prefixIdOf("alert", alert.id)}`,
  ];
  return `${lines.join("\n")}\n`;
}

function bundleSubject({ kind, alerts, total }: Bundle): string {
  const count = total === 1 ? "1 alert" : `${total} alerts`;
  const what = kind === "digest" ? `${count} held through your quiet hours` : `${count} at once`;
  return `[${alerts[0].urgency.toUpperCase()}] ${what}`;
}

function bundleText(bundle: Bundle): string {
  const { alerts, total } = bundle;
  const lines = alerts.map((it) => {
    const title = it.title.replace(/\s+/g, " ").trim();
    const since = new Date(it.createdAt).toISOString();
    const said = `${PREAMBLE[it.event].subject}${title}`;
    return `${it.urgency}: ${said} (${prefixIdOf("alert", it.id)}, since ${since})`;
  });
  const more = total > alerts.length ? [`and ${total - alerts.length} more`] : [];
  return `${[bundleSubject(bundle), "", ...lines, ...more].join("\n")}\n`;
}

function failureOf(error: unknown): Sent {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code !== "string") return { kind: "temporary", reason: "the mail service failed" };
  return { kind: TEMPORARY.has(code) ? "temporary" : "permanent", reason: `mail service: ${code}` };
}

export const email: Transport = {
  channel: "email",
  isSetUp: (env) => env.EMAIL !== undefined,
  send: async (env, contact, message) => {
    try {
      const { messageId } = await env.EMAIL.send({
        from: { email: env.EMAIL_FROM, name: "Tocsin" },
        to: contact.to,
        subject: subjectOf(message),
        text: textOf(message),
      });
      return { kind: "sent", providerId: messageId ?? null };
    } catch (error) {
      return failureOf(error);
    }
  },
};
