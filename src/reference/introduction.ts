// The reference's introduction, and the description of each group of operations.

export const INTRODUCTION = {
  title: "Tocsin",
  version: "4",
  summary:
    "Alerting and on-call: receives alerts, finds who is on call, and escalates until somebody acknowledges.",
  license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  description: `The versioned API is at \`/api/v4\`. Other tools send their events to \`/integration/{id}\`.

**Bodies** are JSON objects or forms (\`a=1\`, \`k[]=x\`, \`a[b]=x\`) of at most 1 MiB. Parameters that an operation
does not list are ignored. \`PUT\` and \`PATCH\` update the given parameters and leave the others unchanged.

**Identifiers** have two forms, \`id\` and \`prefix_id\`. Every parameter accepts either. Responses refer to other records
by \`id\`.

**Times** are ISO 8601 in UTC with milliseconds; in requests, ISO 8601 with an offset.

**Lists** have \`data\`, \`has_more\` and \`total_count\`. Every attribute among the query parameters of an operation
filters by equality or by the operation in \`ops\`: \`?ops=created_at:gte&created_at=2026-01-31 00:00:00\`. Pages of
alerts are found by \`status\`, one destination, \`thirdparty_id\` and \`created_at\` without reading others, pages of logs
by \`owner_id\` and \`created_at\`; other filters and \`q\` read all records that they pass. \`total_count\` comes from
counters without a filter, by \`status\`, and of one destination; otherwise the records found are counted.

**Errors** have one shape and list all invalid parameters. Include \`request_id\` when you report a problem.

**Retries** of a \`POST\` are safe with an \`Idempotency-Key\`: the first response is returned again, with
\`Idempotent-Replayed: true\`.

**Reads** use the nearest replica. To read your own writes, send the \`X-D1-Bookmark\` of the write's response with the
read.`,
};

/** First path segment below `/api/v4` → the group's name and description. */
export const TAGS: Readonly<Record<string, readonly [name: string, description: string]>> = {
  alerts: ["Alerts", "Alerts, their workflows and their notifications."],
  teams: ["Teams", "Groups of people with a schedule and an escalation policy."],
  oncall: ["On call", "Who is on call, team by team."],
  schedules: ["Schedules", "Collections of on-call events, and who is on call."],
  events: ["On-call events", "Single, repeating or rotating shifts on an escalation layer."],
  absences: ["Absences", "When people are away, and who is on call instead."],
  holidays: ["Public holidays", "The public holidays of countries and their subdivisions."],
  escalation_policies: [
    "Escalation policies",
    "How an alert escalates through the layers of a schedule.",
  ],
  broadcasts: ["Broadcasts", "Messages to people and teams, with optional responses."],
  comments: ["Comments", "Comments on alerts, broadcasts and other comments, or without a parent."],
  configuration: ["Configuration", "The configuration of an account as one YAML file."],
  deployment: ["Deployment", "The state of the deployment: what its last audit found."],
  integrations: [
    "Integrations",
    "Incoming events from other tools, and outgoing notifications to them.",
  ],
  deliveries: ["Deliveries", "Messages that outgoing integrations sent, and their outcomes."],
  integration_types: [
    "Integration types",
    "The available types of integrations. `/docs/integrations` shows how to set up each of them.",
  ],
  maintenance_windows: [
    "Maintenance windows",
    "Periods in which alerts are stored and notify nobody.",
  ],
  routers: ["Routers", "Rules that decide where an alert goes."],
  notification_rules: ["Notification rules", "Rules that decide how a person is notified."],
  notifications: ["Notifications", "Each attempt to reach a person."],
  bulk_operations: ["Bulk operations", "One answer to all alerts that match a filter."],
  saved_filters: ["Saved filters", "A person's filters of the list of alerts."],
  drills: ["Drills", "Fire drills of teams, and their reports."],
  test_pages: ["Test pages", "A page to oneself, to see that notifications arrive."],
  readiness: ["Readiness", "Whether somebody would be paged, and who can be reached."],
  reports: ["Reports", "Alert volume, response times, on-call load and hours on call."],
  logs: ["Logs", "Inbound requests and their outcomes, and the timelines of alerts."],
  users: ["Users", "People, who may be members of several accounts."],
  account_users: ["Account users", "The membership of a person in an account."],
  emails: ["E-mail addresses", "Verifying e-mail addresses."],
  phones: ["Phones", "Confirming telephone numbers, and the numbers that call."],
  channel_addresses: [
    "Channel addresses",
    "Your addresses on ntfy, Pushover, Telegram, Gotify, Matrix and webhooks of your own.",
  ],
  chat_accounts: ["Chat accounts", "Your accounts in chat products, by which you act there."],
  push_subscriptions: ["Web Push", "Browsers that receive push notifications."],
  api_keys: ["API keys", "API keys. A key is shown only once."],
  calendar_imports: ["Calendar imports", "Shifts of a schedule that come from a calendar."],
  absence_calendars: [
    "Absence calendars",
    "Calendars and public holidays that are read into absences.",
  ],
  company_holidays: ["Company holidays", "Holidays of the account, beside the public ones."],
  feeds: ["Calendar feeds", "Calendar subscriptions of on-call shifts."],
  a: ["Links in messages", "Pages on which people respond to notifications."],
  callbacks: ["Callbacks", "Delivery reports and replies that providers send."],
  health: ["Health", "Whether the service works: for monitors."],
  integration: ["Receiver", "Events from other tools, outside the versioned API."],
};
