// The descriptions of operations whose routes have none, by operation. They are here and not with
// the routes so that the worker's bundle does not contain them.

import { HOLIDAY_YEARS } from "../domain/oncall/holidays/holidays.ts";

const YEARS = `the years ${HOLIDAY_YEARS.first} to ${HOLIDAY_YEARS.last}`;
const FIRST_TEN = "Ten per page unless `limit` says otherwise, newest first unless `sort` does.";

export const OPERATION_DESCRIPTIONS: Readonly<Record<string, string>> = {
  // ── People and access ──
  listAccountUsers: `The memberships of the account with their people and roles, pending invitations included. ${FIRST_TEN} \`q\` searches names, e-mail addresses and telephone numbers.`,
  getAccountUser:
    "One membership: the person, their channels and their roles. A pending one shows only what the inviter sent.",
  updateAccountUser:
    "Updates the given parameters: roles, teams, the notification rule, and under `user_attributes` the person. Only the person can change the name, addresses and `notify_*` of somebody who belongs to several accounts.",
  listUsers: `The people of the account. ${FIRST_TEN} \`q\` searches names, e-mail addresses and telephone numbers.`,
  getUser: "One person with their e-mail addresses and telephone numbers.",
  deleteUser:
    "Always returns 405: a person can belong to several accounts. Remove the person from this one with `DELETE /account_users/{id}`.",
  listApiKeys: `Your own keys; for an admin, the keys of everybody in the account. The keys themselves are not shown. ${FIRST_TEN}`,
  getApiKey: "One key's name, owner and `read_only`, not the key itself.",
  createApiKey:
    "The response contains the key in `key`; it is shown only once. A key has the permissions of its owner; a `read_only` key can only read. Admins can create keys for others. A key that you create for yourself, signed in or with another such key, can change your own data; a key that somebody else creates for you cannot. The owner is notified by e-mail.",
  revokeApiKey: "Revokes the key permanently. Requests with it are refused within 30 seconds.",
  listChannelAddresses: `Your addresses on messaging apps and webhooks of your own. ${FIRST_TEN}`,
  getChannelAddress: "One of your addresses, with whether it is confirmed and works.",
  deleteChannelAddress: "Notifications are no longer sent to the address.",
  listChatAccounts: `The accounts in chat products that you have linked. ${FIRST_TEN}`,
  getChatAccount: "One of the accounts in chat products that you have linked.",
  listPushSubscriptions: `The browsers in which you receive Web Push notifications. ${FIRST_TEN}`,
  getPushSubscription: "One of your browsers that receive Web Push notifications.",
  deletePushSubscription: "The browser receives no more notifications.",

  // ── Alerts ──
  listAlerts: `The account's alerts in every state. ${FIRST_TEN} Filter by \`status\`, \`urgency\`, \`source_id\`, \`tags\` and more; \`q\` searches titles, tags and sources. \`sort=attention\` begins with what nobody has acknowledged: the most urgent, then the oldest.`,
  createAlert:
    "Creates an alert and notifies whoever is on call for its destinations. The response follows routing, so `status` is `queued` only while a router's `delay` runs. If an unfinished alert of the account has one of the `dedup_keys`, that alert is returned with an increased `dedup_count`.",
  getAlert: "One alert as it is now.",
  updateAlert:
    "Changes the title, description, urgency, tags or `meta`. Status and destinations have operations of their own: acknowledge, resolve, reject, hand off.",
  listAlertComments: `The comments on an alert. ${FIRST_TEN}`,
  createAlertComment:
    "Adds a comment in your name. Outgoing integrations that are notified of the alert forward it.",
  listAlertNotifications: `Every attempt to reach a person about the alert: channel, status, and the reason of a failure. ${FIRST_TEN} Addresses are masked for all but admins.`,
  listAlertWorkflows: `One workflow per destination: its state, the escalation layer it has reached, and the people notified on that layer. ${FIRST_TEN}`,

  listBulkOperations: `The bulk operations of the account with their progress. ${FIRST_TEN}`,
  getBulkOperation:
    "One bulk operation: how many of its alerts are done, and which refused. Operations are stored as long as ended alerts.",
  listSavedFilters: `Your saved filters of the list of alerts; nobody else sees them. ${FIRST_TEN}`,
  getSavedFilter: "One of your saved filters.",
  updateSavedFilter: "Renames a saved filter, or replaces its `filter`.",
  deleteSavedFilter: "The alerts are not affected.",
  listDrills: `The fire drills of the account with their reports. ${FIRST_TEN}`,
  getDrill:
    "One fire drill and its report: the time to the first message and to the acknowledgement, the layers reached, and what everybody who was asked did.",

  // ── Broadcasts and comments ──
  listBroadcasts: `The account's broadcasts. ${FIRST_TEN} \`q\` searches titles and tags.`,
  getBroadcast: "One broadcast with its response options and how many people chose each.",
  listBroadcastComments: `The comments on a broadcast. ${FIRST_TEN}`,
  createBroadcastComment: "Adds a comment in your name.",
  listBroadcastNotifications: `Every attempt to reach a recipient: channel, status, and the reason of a failure. ${FIRST_TEN}`,
  listBroadcastResponses: `The responses so far, one per person: a person's last response counts. ${FIRST_TEN}`,
  createBroadcastResponse:
    "Responds in your name. Another response replaces it until `response_requested_by`; after that the request is refused with 409.",
  listComments: `All comments of the account. ${FIRST_TEN}`,
  createComment:
    "Adds a comment to the record that `commentable_type` and `commentable_id` name. Without them, the comment has no parent.",
  getComment: "One comment, with its author and its parent.",
  listCommentComments: `The replies to a comment. ${FIRST_TEN}`,
  createCommentComment: "Replies to a comment in your name.",

  // ── On call ──
  listTeams: `The account's teams. ${FIRST_TEN} \`q\` searches names.`,
  getTeam: "One team with its members, its admins, its schedule and its escalation policy.",
  listTeamScheduledAccountUsers: `Who has current or coming shifts in the team's schedule, also people who are not in the team. ${FIRST_TEN}`,
  listTeamAlerts: `Every alert that has or had a workflow of the team, however it got there. ${FIRST_TEN}`,
  getTeamCurrentOncall:
    "One entry per occurrence that runs now on the team's schedule, ordered by layer, then start. A bare array.",
  listSchedules: `The account's schedules. ${FIRST_TEN} \`q\` searches names.`,
  getSchedule: "One schedule. Its shifts are its events: `GET /schedules/{id}/events`.",
  listScheduleChanges: `The history of a schedule, newest first: changes of its events, absences, calendar imports, name and teams, also by people who left and by calendars that are read. A change that changed nothing is not listed. Changes are stored for 400 days, or as long as alerts are. ${FIRST_TEN}`,
  getScheduleChange:
    "One change, with who was on call differently because of it in the six weeks from then on. The schedule's other events are taken as they are now.",
  undoScheduleChange:
    "Undoes a change: from now on everybody is on call as without it, and hours that were served since the change stay. Answers with the entry of the undo, which can be undone itself. 409 if the change cannot be undone, or while a later change of the same events is in force: undo that one first. People who have left the account are not put back.",
  getScheduleCoverage:
    "For each escalation layer the share of the window in which somebody is on call, every gap and every overlap, and the hours of each person.",
  getScheduleCurrentOncall:
    "One entry per occurrence that runs now, ordered by layer, then start. A bare array. Escalation uses the same function.",
  listScheduleEvents: `The schedule's events as stored, with their repetition; \`window_events\` lists the occurrences. ${FIRST_TEN}`,
  listAccountUserWindowEvents:
    "The entries of all schedules in which the person is on call in the window, also of schedules that no team uses, ordered by start, then layer. A bare array. The window is at most 366 days.",
  listScheduleWindowEvents:
    "One entry per occurrence that overlaps the window, with its own start and end, ordered by layer, then start. A bare array. The window is at most 366 days.",
  listEscalationPolicies: `The account's escalation policies. ${FIRST_TEN} \`q\` searches names.`,
  getEscalationPolicy: "One policy with its layers in their order.",
  listEvents: `On-call events: single shifts, repeating shifts, rotations, and the overrides of their occurrences. ${FIRST_TEN}`,
  getEvent: "One event with its attendees in the order of the rotation, and its exceptions.",
  listTimeZones: "All names that `time_zone` accepts. `limit` does not apply.",
  listHolidays: `The public holidays of a country or subdivision between two local dates, both inclusive, by date. A country's code lists those of the whole country; a subdivision's code includes them. Other kinds of holidays, such as bank or school holidays, are left out. A date that depends on the sighting of the moon is an estimate. Covers ${YEARS}. \`limit\` does not apply. The data is derived from date-holidays and available under CC BY-SA 3.0.`,
  listHolidayRegions:
    "All codes that `region` and `holiday_region` accept: each country, followed by its subdivisions. `limit` does not apply.",
  overrideEvent:
    "Puts other people on call for an occurrence or a part of it. `start_time` and `end_time` are wall-clock times in `time_zone`, `YYYY-MM-DD HH:mm`; `action_time` is the start of the occurrence. The event's own people are not on call on their layer during the override.",
  listCalendarImports: `The calendar imports of the account, with the result of the last reading. ${FIRST_TEN} \`q\` searches names.`,
  getCalendarImport: "One calendar import with the result of the last reading.",
  createCalendarImport:
    "Imports a calendar into a schedule, from a `url` that is read every hour or from an `ical` text. The response follows the first reading: `last_error` says if it failed. People are found by their e-mail addresses: of the attendees, else of the organizer, else in the title, else in the description. Each calendar event becomes an on-call event that only the import changes. Recurring events are expanded for 180 days. Shifts that have begun never change: if the calendar changes or removes one, it ends now.",
  updateCalendarImport:
    "Updates the given parameters. A new `url`, `ical` or `layer` reads the calendar at once. The schedule cannot be changed.",
  deleteCalendarImport:
    "Deletes the import with its shifts that have not begun. A running shift ends now; past shifts stay.",
  refreshCalendarImport:
    "Reads the calendar now, completely, and returns the import with the result. A failure changes no shift.",
  listAbsences: `Past, current and coming absences of people of the account, with everybody's answer to those that ask. ${FIRST_TEN}`,
  listAbsenceNotifications: `Every attempt to reach the people who are asked, and the person who asks: channel, status, and the reason of a failure. ${FIRST_TEN}`,
  getAbsence:
    "One absence, with the hours in which others are on call and those in which the person still is. Only the person, admins and the people who are asked see the reason.",
  getScheduleConflicts:
    "The shifts of people who are away, with the hours that the shift and the absence have in common, by start. The window is the next six weeks unless `start` and `end` say otherwise, and at most 366 days.",
  listAbsenceCalendars: `Your absence calendars; for an admin, those of everybody in the account. ${FIRST_TEN}`,
  getAbsenceCalendar: "One of your absence calendars, with the result of the last reading.",
  createAbsenceCalendar:
    "Reads a calendar of your absences every day: each of its events becomes an absence, for the next 180 days. With a `region` instead of a `url`, public holidays become absences, for the next 366 days, and so do the company holidays with `company_holidays`. An admin can name somebody else in `account_user_id`. The response follows the first reading: `last_error` says if it failed.",
  updateAbsenceCalendar:
    "Updates the given parameters. A new `url` replaces holidays and vice versa, and is read at once.",
  deleteAbsenceCalendar: "Deletes the calendar with the absences that were read from it.",
  refreshAbsenceCalendar:
    "Reads the calendar now, completely, and returns it with the result. A failure changes no absence.",
  listCompanyHolidays: `The account's own holidays. ${FIRST_TEN}`,
  getCompanyHoliday: "One of the account's own holidays.",
  createCompanyHoliday:
    "The days count as holidays in the hours on call. Absence calendars with `company_holidays` follow within a moment.",
  updateCompanyHoliday: "Updates the given parameters. An `end_date` of `null` means a single day.",
  deleteCompanyHoliday:
    "Its days no longer count, in reports of the past as well. Absence calendars with `company_holidays` follow within a moment.",
  listFeeds: `The calendar feeds of the account, without their secret addresses. ${FIRST_TEN}`,
  getFeed: "One calendar feed, without its secret address.",
  revokeFeed: "The feed's URL returns 404 afterwards.",
  readCalendar:
    "The feed for calendar applications: the shifts of a schedule, a team or a person. The secret in the URL is the only credential; the `ETag` avoids repeated downloads. A calendar contains at most 5,000 shifts, in whole days. A longer one ends early with an entry that says so; read the following days with `from` and `to`.",

  readHealth:
    "For monitors and load balancers: answers without reading any storage, with the id of the deployed version.",
  readReadiness:
    "For monitors: reads the database, sends a message through the queue and calls a Durable Object. The result is at most ten seconds old. With `?details` and the `METRICS_TOKEN` also what the latest audit found.",
  readMetrics:
    "All metrics in Prometheus' text format, version 0.0.4. Measured values are at most a minute old. 404 if the deployment has no `METRICS_TOKEN`.",

  // ── Integrations and rules ──
  listIntegrationTypes:
    "The integration types with their options, sorted by name unless `sort` says otherwise; `q` searches names and titles.",
  getIntegrationType: "One integration type with its options. The name works in place of the id.",
  listIntegrations: `The account's integrations. ${FIRST_TEN} \`q\` searches names. Secret options read back as \`***\`.`,
  getIntegration: "One integration with its options. Secret options read back as `***`.",
  createIntegration:
    "The type defines the `option_<key>` parameters; `GET /integration_types` lists them. Senders post to the integration's `url`.",
  updateIntegration:
    "Updates the given parameters. An option that is null or empty is reset to its default; a secret that is `***` does not change.",
  listIntegrationDeliveries: `The messages that the integration sent to another service, with the responses. ${FIRST_TEN}`,
  listDeliveries: `The messages that the account's outgoing integrations sent, with the responses. ${FIRST_TEN}`,
  getDelivery:
    "One message to another service, with the last response and the time of the next attempt.",
  listMaintenanceWindows: `Past, current and future maintenance windows. ${FIRST_TEN}`,
  getMaintenanceWindow:
    "One maintenance window: alerts that its integrations create within it are suppressed.",
  listNotificationRules: `The account's notification rules. ${FIRST_TEN}`,
  getNotificationRule:
    "One notification rule with its rules. `/docs/rules` describes the language.",
  listRouters: `The account's routers. ${FIRST_TEN}`,
  getRouter: "One router with its rules. `/docs/rules` describes the language.",
  createRouter:
    "An alert goes to the receivers of the first rule that matches it, else to the default receiver. `/docs/rules` describes the language. Rules that create a routing loop are refused.",
  createNotificationRule:
    "Decides on which channels a person is notified, and when. `/docs/rules` describes the language. It applies to the people whose `notification_rule_id` names it.",

  // ── Reports ──
  reportOnCallHours: `The minutes on call of each person by rate class, calculated from the same shifts and overrides as \`window_events\`. An instant has one class, by the wall clock of \`time_zone\`: \`holiday\` on the public holidays of \`holiday_region\`, else \`weekend\` on a weekend day, else \`night\` in the night hours, else \`weekday\`. Minutes are elapsed time: a night across a change of clocks is an hour shorter or longer. Simultaneous shifts of a person count once; \`by_layer\` counts them for each schedule and layer. Hours that are still to come are those planned now. Admins see everybody; others see themselves, and the people on the schedules of teams that they administer, counted on those schedules only. With neither \`schedule_ids\` nor \`team_ids\`, all schedules count; with both, the schedules of either. Lists are repeated or comma-separated. The window is at most 366 days, and with \`holiday_region\` within ${YEARS}.`,
  exportOnCallHours:
    "The same as `GET /reports/on_call_hours`, as CSV in hours with two decimals. One row per person or, with `by=layer`, one per person, schedule and layer. Text that would start a formula in a spreadsheet is prefixed with an apostrophe.",

  // ── Logs and notifications ──
  listLogs: `One log per inbound request, accepted or refused, and one per alert with its timeline. ${FIRST_TEN}`,
  getLog:
    "One log with its lines. Admins see the headers, parameters and body of an inbound request, with redacted secrets.",
};
