// What an operation's caller has to know beyond its headline, for operations whose route says nothing: by operation.
// Here and not with the routes, so that the worker does not carry it.

const FIRST_TEN = "Ten per page unless `limit` says otherwise, newest first unless `sort` does.";

export const OPERATION_WORDS: Readonly<Record<string, string>> = {
  // ── People and access ──
  listAccountUsers: `The memberships of the account with their people and roles, pending invitations included. ${FIRST_TEN} \`q\` searches names, e-mail addresses and telephone numbers.`,
  getAccountUser:
    "One membership: the person, their channels and their roles. A pending one shows only what the inviter sent.",
  updateAccountUser:
    "Changes what is given and leaves the rest: roles, teams, the notification rule, and under `user_attributes` the person. A person who belongs to other accounts as well changes their own name, addresses and `notify_*`.",
  listUsers: `The people of the account. ${FIRST_TEN} \`q\` searches names, e-mail addresses and telephone numbers.`,
  getUser: "One person with their e-mail addresses and telephone numbers.",
  deleteUser:
    "Always answers 405: a person may belong to several accounts. Remove them from this one with `DELETE /account_users/{id}`.",
  listApiKeys: `Your own keys; an admin sees those of everybody in the account. The keys themselves are never shown again. ${FIRST_TEN}`,
  getApiKey: "One key's name, owner and `read_only`, not the key itself.",
  createApiKey:
    "The answer has the key itself in `key`, this once. It can do what its owner can do; a `read_only` key can only read. An admin may make keys for others. A key that you make for yourself, signed in or with another such key, counts as your own: it may change your own data; one that somebody else makes for you does not. The person is told of a new key by mail.",
  revokeApiKey:
    "Ends the key. Requests with it are refused within 30 seconds, and it cannot be brought back.",
  listPushSubscriptions: `The browsers in which you get Web Push notifications. ${FIRST_TEN}`,
  getPushSubscription: "One browser of yours that gets Web Push notifications.",
  deletePushSubscription: "The browser gets no more notifications.",

  // ── Alerts ──
  listAlerts: `The account's alerts in every state. ${FIRST_TEN} Filter by \`status\`, \`urgency\`, \`source_id\`, \`tags\` and more; \`q\` searches titles, tags and sources.`,
  createAlert:
    "Creates an alert and notifies whoever is on call for its destinations. The answer comes after routing, so its `status` is `queued` only while a router's `delay` runs. With `dedup_keys` that an unfinished alert of the account has, that alert is answered instead, its `dedup_count` raised.",
  getAlert: "One alert as it is now.",
  updateAlert:
    "Changes the title, description, urgency, tags or `meta`. Status and destinations have operations of their own: acknowledge, resolve, reject, hand off.",
  listAlertComments: `The comments on an alert. ${FIRST_TEN}`,
  createAlertComment:
    "Adds a comment in your name. Integrations that notify other services of the alert pass it on.",
  listAlertNotifications: `Every attempt to reach a person about the alert: channel, status, and the reason of a failure. ${FIRST_TEN} Addresses are masked for all but admins.`,
  listAlertWorkflows: `One workflow per destination: its state, the escalation layer it has reached, and whom that layer notified. ${FIRST_TEN}`,

  // ── Broadcasts and comments ──
  listBroadcasts: `The account's broadcasts. ${FIRST_TEN} \`q\` searches titles and tags.`,
  getBroadcast: "One broadcast with its response options and how many people chose each.",
  listBroadcastComments: `The comments on a broadcast. ${FIRST_TEN}`,
  createBroadcastComment: "Adds a comment in your name.",
  listBroadcastNotifications: `Every attempt to reach a recipient: channel, status, and the reason of a failure. ${FIRST_TEN}`,
  listBroadcastResponses: `The responses so far, one per person: a person's last response counts. ${FIRST_TEN}`,
  createBroadcastResponse:
    "Responds in your name. Another response replaces it until `response_requested_by`; after that the request is refused with 409.",
  listComments: `The comments of the account, whatever they are on. ${FIRST_TEN}`,
  createComment:
    "Adds a comment to the record that `commentable_type` and `commentable_id` name. Without them it stands alone in the account.",
  getComment: "One comment, with its author and what it is on.",
  listCommentComments: `The replies to a comment. ${FIRST_TEN}`,
  createCommentComment: "Replies to a comment in your name.",

  // ── On call ──
  listTeams: `The account's teams. ${FIRST_TEN} \`q\` searches names.`,
  getTeam: "One team with its members, its admins, its schedule and its escalation policy.",
  listTeamAlerts: `Every alert that has or had a workflow of the team, however it got there. ${FIRST_TEN}`,
  getTeamCurrentOncall:
    "One entry per occurrence that runs now on the team's schedule, ordered by layer, then start. A bare array.",
  listSchedules: `The account's schedules. ${FIRST_TEN} \`q\` searches names.`,
  getSchedule: "One schedule. Its shifts are its events: `GET /schedules/{id}/events`.",
  getScheduleCoverage:
    "For each escalation layer the share of the window in which somebody is on call, every gap and every overlap, and the hours of each person.",
  getScheduleCurrentOncall:
    "One entry per occurrence that runs now, ordered by layer, then start. A bare array. Escalation asks the same function.",
  listScheduleEvents: `The schedule's events as they are written, with their repetition; \`window_events\` lists the occurrences. ${FIRST_TEN}`,
  listScheduleWindowEvents:
    "One entry per occurrence that overlaps the window, with its own start and end, ordered by layer, then start. A bare array. The window is at most 366 days.",
  listEscalationPolicies: `The account's escalation policies. ${FIRST_TEN} \`q\` searches names.`,
  getEscalationPolicy: "One policy with its layers in their order.",
  listEvents: `On-call events: single shifts, repeating shifts, rotations, and the overrides of their occurrences. ${FIRST_TEN}`,
  getEvent: "One event with its attendees in the order of their turns, and its exceptions.",
  listTimeZones: "All names that `time_zone` takes, at once: `limit` does not apply.",
  overrideEvent:
    "Puts other people on call for a part of an occurrence. `start_time` and `end_time` are the wall clock of `time_zone`, `YYYY-MM-DD HH:mm`; `action_time` is the start of the occurrence. The event's own people are not on call on their layer meanwhile.",
  listFeeds: `The calendar feeds of the account, without their secret addresses. ${FIRST_TEN}`,
  getFeed: "One calendar feed, without its secret address.",
  revokeFeed: "The feed's address answers 404 from then on.",
  readCalendar:
    "What calendar programs fetch: the shifts of a schedule, a team or a person. The secret in the address is the only key, and an `ETag` spares unchanged downloads. A calendar holds at most 5,000 shifts, in whole days; one that would have more ends early with an entry that says so, and `from` and `to` read the days after it.",

  // ── Integrations and rules ──
  listIntegrationTypes:
    "What an integration can be, with the options that each type takes. By name unless `sort` says otherwise; `q` searches names and titles.",
  getIntegrationType: "One integration type with its options. The name works in place of the id.",
  listIntegrations: `The account's integrations. ${FIRST_TEN} \`q\` searches names. Options that are secret read \`***\`.`,
  getIntegration: "One integration with its options. Options that are secret read `***`.",
  createIntegration:
    "The type decides which `option_<key>` parameters there are: `GET /integration_types` lists them. Senders post to the integration's `url`.",
  updateIntegration:
    "Changes what is given and leaves the rest. An option that is sent as null or empty goes back to its default; a secret that is sent as `***` stays.",
  listIntegrationDeliveries: `What the integration sent to another service, with the answers. ${FIRST_TEN}`,
  listDeliveries: `What the account's outgoing integrations sent, with the answers. ${FIRST_TEN}`,
  getDelivery: "One message to another service, with the last answer and when it is tried again.",
  listMaintenanceWindows: `Past, running and coming maintenance windows. ${FIRST_TEN}`,
  getMaintenanceWindow:
    "One maintenance window: alerts that its integrations create within it are suppressed.",
  listNotificationRules: `The account's notification rules. ${FIRST_TEN}`,
  getNotificationRule:
    "One notification rule with its document. `/docs/rules` describes the language.",
  listRouters: `The account's routers. ${FIRST_TEN}`,
  getRouter: "One router with its document. `/docs/rules` describes the language.",
  createRouter:
    "An alert goes to the receivers of the first rule that matches it, else to the default receiver. `/docs/rules` describes the language. Rules that would lead back to the router are refused.",
  createNotificationRule:
    "Decides on which channels a person is notified, and when. `/docs/rules` describes the language. It applies to the people whose `notification_rule_id` names it.",

  // ── Logs and notifications ──
  listLogs: `One log per inbound request, accepted or refused, and one per alert with its timeline. ${FIRST_TEN}`,
  getLog:
    "One log with its lines. An inbound request's headers, parameters and body are shown to admins, secrets redacted.",
  listNotifications: `Every attempt to reach a person, whatever it was about. ${FIRST_TEN} Addresses are masked for all but admins.`,
  getNotification: "One attempt to reach a person: channel, status, and the reason of a failure.",
};
