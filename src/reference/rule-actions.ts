// Examples of rule documents, at least one for every action: shown in the rule reference and run by
// a test, which replaces the receivers' ids with its own.
import type { Subject } from "./rule-conditions.ts";

export type RouterExample = {
  readonly of: string;
  readonly about: string;
  readonly rules: string;
  readonly subject: Subject;
  /** The receivers' names in order, each with its delay if any; and the alert's changes. */
  readonly expected: {
    readonly to: readonly string[];
    readonly suppressed?: boolean;
    readonly alert?: Readonly<Record<string, unknown>>;
    /** How long later alerts with the same values are aggregated into the first. */
    readonly aggregatedFor?: string;
  };
};

export type NotificationExample = {
  readonly of: string;
  readonly about: string;
  readonly rules: string;
  /** The event of the notification; `alert.open` by default. */
  readonly event?: string;
  readonly subject: Subject;
  /** Minutes after the page, and the channels used then; null: the person is not notified. */
  readonly expected: readonly (readonly [minutes: number, ...channels: string[]])[] | null;
};

/** The ids that router examples use, by the receiver's name. */
export const RECEIVERS = {
  "the database team": "tem_AAECAwQFBgcICQ",
  "the payments team": "tem_AQIDBAUGBwgJCg",
  Ada: "acu_AgMEBQYHCAkKCw",
  "the default receiver": "tem_AwQFBgcICQoLDA",
} as const;

const DATABASE = RECEIVERS["the database team"];
const PAYMENTS = RECEIVERS["the payments team"];
const ADA = RECEIVERS.Ada;

const alert = {
  title: "Disk full on db-1",
  description: "Writes fail",
  urgency: "high",
  tags: ["database"],
};

export const ROUTER_EXAMPLES: readonly RouterExample[] = [
  {
    of: "assign",
    about:
      "Sends the alert to a team, a person or another router, or to several. With delay it waits before that.",
    rules: `rules:
  - match: { alert.tags: database }
    actions:
      - { type: assign, receiver: [${DATABASE}, ${ADA}], delay: 5m }
`,
    subject: { alert },
    expected: { to: ["the database team after 5m", "Ada after 5m"] },
  },
  {
    of: "ignore",
    about:
      "Nobody is notified. An alert whose destinations are all ignored is suppressed: it stays visible and notifies nobody.",
    rules: `rules:
  - match: { alert.urgency: low }
    actions:
      - { type: ignore }
`,
    subject: { alert: { ...alert, urgency: "low" } },
    expected: { to: [], suppressed: true },
  },
  {
    of: "setval",
    about:
      "Changes the title, description, tags or urgency. With handlebars: true, templates may use alert, log and integration. Routing goes on with the next action.",
    rules: `rules:
  - match: { log.data.service: payments }
    actions:
      - type: setval
        handlebars: true
        map:
          title: "{{log.data.service}}: {{alert.title}}"
          description: "{{alert.description}} (from {{integration.name}})"
          tags: ["{{log.data.service}}", customer-facing]
          urgency: critical
      - { type: assign, receiver: ${PAYMENTS} }
`,
    subject: { alert, log: { data: { service: "payments" } } },
    expected: {
      to: ["the payments team"],
      alert: {
        title: "payments: Disk full on db-1",
        description: "Writes fail (from Monitoring)",
        tags: ["payments", "customer-facing"],
        urgency: "critical",
      },
    },
  },
  {
    of: "incident",
    about:
      "Flags the alert as an incident, with a severity and a message. Routing goes on with the next action, or to the default receiver.",
    rules: `rules:
  - match: { alert.urgency: { $in: [high, critical] } }
    actions:
      - { type: incident, severity: SEV-1, message: "{{alert.title}}", handlebars: true }
`,
    subject: { alert },
    expected: {
      to: ["the default receiver"],
      alert: {
        incident: true,
        incident_severity: "SEV-1",
        incident_message: "Disk full on db-1",
      },
    },
  },
  {
    of: "aggregate",
    about:
      "The first alert goes to the receiver. For the timeout, later alerts with the same values at these paths join it: they are suppressed, name it in aggregated_into_id, and are counted on it.",
    rules: `rules:
  - match: { log.data.host: { $exists: true } }
    actions:
      - { type: aggregate, by: [log.data.host], timeout: 30m, receiver: ${DATABASE} }
`,
    subject: { alert, log: { data: { host: "db-1" } } },
    expected: { to: ["the database team"], aggregatedFor: "30m" },
  },
];

export const NOTIFICATION_EXAMPLES: readonly NotificationExample[] = [
  {
    of: "notify",
    about:
      "Notifies on these channels: email, sms, voice, push, ntfy, pushover, telegram, whatsapp, slack, teams, gotify, matrix, webhook. With timeout, the next action follows after that time unless somebody answers.",
    rules: `rules:
  - match: { alert.urgency: { $in: [high, critical] } }
    actions:
      - { type: notify, channels: [push], timeout: 2m }
      - { type: notify, channels: [sms, email], timeout: 3m }
      - { type: notify, channels: [voice] }
`,
    subject: { alert },
    expected: [
      [0, "push"],
      [2, "sms", "email"],
      [5, "voice"],
    ],
  },
  {
    of: "notify",
    about:
      "With unless_delivered: true, it is left out once a message of the actions before it was delivered: shown by a browser, or reported by the provider of the SMS, the call or the email. Messengers report nothing. One of the actions before it needs a timeout.",
    rules: `rules:
  - match: { alert.urgency: { $in: [high, critical] } }
    actions:
      - { type: notify, channels: [push], timeout: 1m }
      - { type: notify, channels: [voice], unless_delivered: true, timeout: 4m }
      - { type: repeat, times: 1 }
`,
    subject: { alert },
    expected: [
      [0, "push"],
      [1, "voice"],
      [5, "push"],
      [6, "voice"],
    ],
  },
  {
    of: "notify",
    about:
      "types says what the rule is about, alert.open unless it says otherwise: alert.acknowledged, alert.rejected, alert.resolved, alert.dropped, alert.timeout, alert.handoff, oncall.handoff, oncall.shift_added, oncall.shift_removed, oncall.shift_changed, oncall.shift_taken, oncall.shift_reminder, oncall.digest, oncall.gap, oncall.cover_request, oncall.cover_answer, broadcast.sent.",
    rules: `rules:
  - types: [alert.resolved]
    match: { always: true }
    actions:
      - { type: notify, channels: [email] }
`,
    event: "alert.resolved",
    subject: { alert },
    expected: [[0, "email"]],
  },
  {
    of: "notify",
    about:
      "channel_options chooses the address of email, sms or voice: primary, secondary, or one of the person's addresses as it is written. With <channel>_fallback: false no other address of that channel is used.",
    rules: `rules:
  - match: { always: true }
    actions:
      - type: notify
        channels: [email]
        channel_options: { email: secondary, email_fallback: false }
`,
    subject: { alert },
    expected: [[0, "email"]],
  },
  {
    of: "repeat",
    about: "Repeats what stands before it, up to three times.",
    rules: `rules:
  - match: { always: true }
    actions:
      - { type: notify, channels: [push], timeout: 5m }
      - { type: repeat, times: 2 }
`,
    subject: { alert },
    expected: [
      [0, "push"],
      [5, "push"],
      [10, "push"],
    ],
  },
  {
    of: "ignore",
    about: "The person is not notified.",
    rules: `rules:
  - match: { alert.urgency: low }
    actions:
      - { type: ignore }
`,
    subject: { alert: { ...alert, urgency: "low" } },
    expected: null,
  },
  {
    of: "hold",
    about:
      "Quiet hours: what would be sent now is sent at that time of day, as one message. Critical alerts are not held. Without timezone, the person's own.",
    rules: `rules:
  - match:
      $timeBetween: { timezone: UTC, starttime: "22:00", endtime: "07:59" }
    actions:
      - { type: hold, until: "08:00", timezone: UTC }
      - { type: notify, channels: [email] }
`,
    subject: { alert, now: "2026-01-15T06:30:00Z" },
    expected: [[90, "email"]],
  },
];
