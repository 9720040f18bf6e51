// What the reference says of the API as a whole, and of each group of operations.

export const INTRODUCTION = {
  title: "Tocsin",
  version: "4",
  summary:
    "Alerting and on-call: takes alerts, finds who is on call, keeps at them until somebody answers.",
  license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  description: `The versioned API is below \`/api/v4\`; third parties send their events to \`/integration/{id}\`.

**Bodies** are JSON objects, or forms (\`a=1\`, \`k[]=x\`, \`a[b]=x\`), of at most 1 MiB. Parameters that an operation
does not list are dropped. \`PUT\` and \`PATCH\` change what is given and leave the rest.

**Identifiers** have two forms, \`id\` and \`prefix_id\`; every parameter takes either. Answers name other records by
\`id\`.

**Times** are ISO 8601 in UTC with milliseconds; in requests, ISO 8601 with an offset.

**Lists** have \`data\`, \`has_more\` and \`total_count\`. Every attribute that an operation lists among its query
parameters filters by equality, or as \`ops\` says: \`?ops=created_at:gte&created_at=2026-01-31 00:00:00\`.

**Errors** all have one shape, and name everything that is wrong at once. Quote \`request_id\` when you ask about one.

**Retries** of a \`POST\` are safe with an \`Idempotency-Key\`: the first answer is given again, with
\`Idempotent-Replayed: true\`.

**Reads** go to the nearest replica. To read what you wrote, send the \`X-D1-Bookmark\` of its answer with the read.`,
};

/** Path below `/api/v4` → the group's name and what it is about. */
export const TAGS: Readonly<Record<string, readonly [name: string, description: string]>> = {
  alerts: ["Alerts", "Something happened: who was told, and who answered."],
  teams: ["Teams", "People with an active schedule and an active escalation policy."],
  oncall: ["On call", "Who is on call, team by team."],
  schedules: ["Schedules", "What on-call events stand in; who is on call."],
  events: ["On-call events", "Single, repeating or rotating shifts on an escalation layer."],
  escalation_policies: ["Escalation policies", "How an alert moves through a schedule's layers."],
  broadcasts: ["Broadcasts", "A message to people and teams, which may ask for an answer."],
  comments: ["Comments", "On alerts, on broadcasts, on other comments, or free-standing."],
  integrations: ["Integrations", "Where third parties' events come in, and what others are told."],
  deliveries: ["Deliveries", "What integrations have told others, and what came of it."],
  integration_types: ["Integration types", "What an integration can be."],
  maintenance_windows: ["Maintenance windows", "Times in which alerts are kept and page nobody."],
  routers: ["Routers", "Rules that say where an alert goes."],
  notification_rules: ["Notification rules", "Rules that say how a person is told."],
  notifications: ["Notifications", "Each attempt to reach a person."],
  reports: ["Reports", "How many alerts, how fast they were taken, and what they cost people."],
  logs: ["Logs", "What came in and what became of it."],
  users: ["Users", "People, who may be members of several accounts."],
  account_users: ["Account users", "The membership of a person in an account."],
  emails: ["E-mail addresses", "Verifying e-mail addresses."],
  phones: ["Phones", "Confirming telephone numbers."],
  push_subscriptions: ["Web Push", "Browsers in which people get their pages."],
  api_keys: ["API keys", "Keys, shown once."],
  feeds: ["Calendar feeds", "On-call shifts as calendars to subscribe to."],
  a: ["Links in messages", "Pages on which people answer what they were sent."],
  callbacks: [
    "Callbacks",
    "What providers tell of the messages they took, and of answers to them.",
  ],
  integration: ["Receiver", "Events of third parties, outside the versioned API."],
};
