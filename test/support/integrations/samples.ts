// A valid request for every operation of the API: the record in its path, and a body. The tests
// that enumerate the routes fail for a route without a sample.
import type { RecordKind } from "../../../src/domain/shared/identifiers.ts";
import { newCalendar } from "../oncall/calendars.ts";
import { newSubscription } from "../providers/push.ts";
import type { Inhabited } from "../worker/inhabited.ts";

export type Sample = {
  /** The kind of the record that `:id` in the path identifies. */
  readonly of?: Exclude<RecordKind, "account">;
  readonly query?: string;
  readonly body?: (world: Inhabited) => Record<string, unknown>;
};

let made = 0;

/** A unique e-mail address. */
const email = () => {
  made += 1;
  return `sample.${made}.${Date.now()}@example.com`;
};

const shift = ({ ids }: Inhabited) => ({
  start_datetime: "2049-03-01T09:00:00Z",
  end_datetime: "2049-03-01T17:00:00Z",
  layer: 1,
  time_zone: "UTC",
  schedule_ids: [ids.schedule.id],
  account_user_ids: [ids.account_user.id],
});

/** An hour that no other call covers. */
const absence = ({ ids, accountUserId }: Inhabited) => {
  made += 1;
  const start = Date.UTC(2032, 0, 1) + made * 3_600_000;
  return {
    account_user_id: accountUserId,
    start_datetime: new Date(start).toISOString(),
    end_datetime: new Date(start + 3_600_000).toISOString(),
    instead: "person",
    covering_account_user_id: ids.account_user.id,
    schedule_ids: [ids.schedule.id],
    reason: "Holiday",
  };
};

const window = ({ ids }: Inhabited) => ({
  name: "Upgrade",
  start_datetime: "2031-03-01T09:00:00Z",
  end_datetime: "2031-03-01T17:00:00Z",
  time_zone: "UTC",
  integration_ids: [ids.integration.id],
});

const body = () => ({ body: "Looking" });
const name = () => ({ name: "Renamed" });

/** By operation. */
const samples: Readonly<Record<string, Sample>> = {
  listAlerts: {},
  getAlert: { of: "alert" },
  createAlert: {
    body: ({ ids }) => ({
      title: "Disk full",
      urgency: "silent",
      destination_account_user_ids: [ids.account_user.id],
    }),
  },
  updateAlert: { of: "alert", body: () => ({ description: "Changed" }) },
  deleteAlert: { of: "alert" },
  acknowledgeAlert: { of: "alert" },
  rejectAlert: { of: "alert" },
  resolveAlert: { of: "alert" },
  previewAlert: {
    body: ({ ids }) => ({
      title: "Disk full",
      urgency: "high",
      destination_account_user_ids: [ids.account_user.id],
      at: "2031-03-01T09:00:00Z",
      notification_rule: { rules: "rules: []" },
    }),
  },
  handOffAlert: {
    of: "alert",
    body: ({ ids }) => ({ destination_account_user_ids: [ids.account_user.id], note: "Yours" }),
  },
  reopenAlert: { of: "alert" },
  undoAnswer: { of: "alert" },
  snoozeAlert: {
    of: "alert",
    body: () => ({ until: new Date(Date.now() + 3_600_000).toISOString() }),
  },
  escalateAlert: { of: "alert" },
  requestResponders: {
    of: "alert",
    body: ({ ids }) => ({ account_user_ids: [ids.account_user.id], note: "Please look" }),
  },
  mergeAlerts: { of: "alert", body: ({ otherAlertId }) => ({ alert_ids: [otherAlertId] }) },
  listAlertWorkflows: { of: "alert" },
  listAlertNotifications: { of: "alert" },
  getAlertNextSteps: { of: "alert" },
  getAlertOverview: {},
  getSimilarAlerts: { of: "alert" },
  listBulkOperations: {},
  getBulkOperation: { of: "bulk_operation" },
  createBulkOperation: { body: () => ({ action: "resolve", filter: { title: "No such alert" } }) },
  listSavedFilters: {},
  getSavedFilter: { of: "saved_filter" },
  createSavedFilter: {
    body: ({ ids }) => ({ name: email(), filter: { status: "open", team_id: ids.team.id } }),
  },
  updateSavedFilter: { of: "saved_filter", body: () => ({ filter: { urgency: "critical" } }) },
  deleteSavedFilter: { of: "saved_filter" },
  listDrills: {},
  getDrill: { of: "alert" },
  createDrill: { of: "team", body: () => ({}) },
  createTestPage: {},
  startStandbyDrill: {},
  listAlertComments: { of: "alert" },
  createAlertComment: { of: "alert", body },
  listAccountUsers: {},
  getAccountUser: { of: "account_user" },
  createAccountUser: {
    body: ({ ids }) => ({
      user_attributes: { name: "Grace", emails_attributes: [{ email: email() }] },
      roles: { billing: true },
      team_ids: [ids.team.id],
    }),
  },
  updateAccountUser: { of: "account_user", body: () => ({ user_attributes: { name: "Grace" } }) },
  createAccountUserFeed: { of: "account_user", body: name },
  deleteAccountUser: { of: "account_user" },
  listApiKeys: {},
  getApiKey: { of: "api_key" },
  createApiKey: { body: name },
  revokeApiKey: { of: "api_key" },
  listBroadcasts: {},
  getBroadcast: { of: "broadcast" },
  createBroadcast: {
    body: ({ ids }) => ({ title: "Closed", destination_account_user_ids: [ids.account_user.id] }),
  },
  updateBroadcast: { of: "broadcast", body: () => ({ description: "Changed" }) },
  deleteBroadcast: { of: "broadcast" },
  listBroadcastNotifications: { of: "broadcast" },
  listBroadcastComments: { of: "broadcast" },
  createBroadcastComment: { of: "broadcast", body },
  listBroadcastResponses: { of: "broadcast" },
  createBroadcastResponse: {
    of: "broadcast",
    body: ({ ids }) => ({ broadcast_response_option_id: ids.broadcast_response_option.id }),
  },
  listComments: {},
  getComment: { of: "comment" },
  createComment: {
    body: ({ ids }) => ({
      body: "Looking",
      commentable_type: "Alert",
      commentable_id: ids.alert.id,
    }),
  },
  listCommentComments: { of: "comment" },
  createCommentComment: { of: "comment", body },
  listEscalationPolicies: {},
  getEscalationPolicy: { of: "escalation_policy" },
  createEscalationPolicy: {
    body: ({ ids }) => ({
      name: "Days",
      reassign_team_ids: [ids.team.id],
      escalation_layers_attributes: [{ layer: 1, timeout: 5 }],
    }),
  },
  updateEscalationPolicy: { of: "escalation_policy", body: name },
  deleteEscalationPolicy: { of: "escalation_policy" },
  listEvents: {},
  getEvent: { of: "event" },
  listTimeZones: {},
  listHolidays: { query: "region=DE-BY&from=2026-01-01&to=2026-12-31" },
  listHolidayRegions: {},
  createEvent: { body: shift },
  updateEvent: { of: "event", body: () => ({ layer: 2 }) },
  deleteEvent: { of: "event" },
  overrideEvent: {
    of: "event",
    body: ({ ids }) => ({
      start_time: "2026-02-02 10:00",
      end_time: "2026-02-02 11:00",
      layer: 1,
      time_zone: "UTC",
      account_user_ids: [ids.account_user.id],
      action_time: "2026-02-02T00:00:00Z",
    }),
  },
  addEventException: { of: "event", body: () => ({ action_time: "2026-02-03T00:00:00Z" }) },
  terminateEvent: { of: "event", body: () => ({ action_time: "2035-01-01T00:00:00Z" }) },
  changeFollowingEvents: {
    of: "event",
    body: () => ({ action_time: "2026-02-10T00:00:00Z", layer: 2 }),
  },
  previewFollowingEvents: {
    of: "event",
    body: () => ({ action_time: "2026-02-10T00:00:00Z", layer: 2 }),
  },
  getEventOccurrence: { of: "event", query: "action_time=2026-02-05T00:00:00Z" },
  moveEventPart: {
    of: "event",
    body: () => ({
      action_time: "2026-02-05T00:00:00Z",
      start_datetime: "2026-02-05T04:00:00Z",
      end_datetime: "2026-02-05T06:00:00Z",
    }),
  },
  // The shift of today.
  takeOverShift: {
    of: "event",
    body: () => ({ action_time: `${new Date().toISOString().slice(0, 10)}T00:00:00Z` }),
  },
  removeEventPart: { of: "event", body: () => ({ action_time: "2026-02-04T00:00:00Z" }) },
  listAbsenceCalendars: {},
  getAbsenceCalendar: { of: "absence_calendar" },
  createAbsenceCalendar: {
    body: ({ ids }) => ({
      account_user_id: ids.account_user.id,
      name: "Holidays",
      url: "https://hr.example.com/absences.ics",
    }),
  },
  updateAbsenceCalendar: { of: "absence_calendar", body: name },
  refreshAbsenceCalendar: { of: "absence_calendar" },
  deleteAbsenceCalendar: { of: "absence_calendar" },
  listCompanyHolidays: {},
  getCompanyHoliday: { of: "company_holiday" },
  createCompanyHoliday: {
    body: () => ({
      name: "Retreat",
      start_date: "2026-06-12",
      end_date: "2026-06-14",
      repeats_yearly: true,
    }),
  },
  updateCompanyHoliday: { of: "company_holiday", body: name },
  deleteCompanyHoliday: { of: "company_holiday" },
  listCalendarImports: {},
  getCalendarImport: { of: "calendar_import" },
  createCalendarImport: {
    body: ({ ids }) => ({
      schedule_id: ids.schedule.id,
      name: "Rota",
      ical: newCalendar([{ summary: "Somebody" }]),
    }),
  },
  updateCalendarImport: { of: "calendar_import", body: name },
  refreshCalendarImport: { of: "calendar_import" },
  deleteCalendarImport: { of: "calendar_import" },
  getScheduleConflicts: { of: "schedule" },
  listFeeds: {},
  getFeed: { of: "calendar_feed" },
  revokeFeed: { of: "calendar_feed" },
  listIntegrations: {},
  getIntegration: { of: "integration" },
  createIntegration: {
    body: ({ ids }) => ({
      name: "Monitoring",
      urgency: "low",
      integration_type_id: "webhook",
      team_ids: [ids.team.id],
    }),
  },
  updateIntegration: { of: "integration", body: name },
  deleteIntegration: { of: "integration" },
  previewIntegration: {
    of: "integration",
    body: ({ ids }) => ({
      payload: { event_type: "create", Title: "Disk full" },
      pages: true,
      destination_account_user_ids: [ids.account_user.id],
    }),
  },
  replayIntegration: { of: "integration", body: () => ({ option_pause_for: 5 }) },
  testIntegration: { of: "integration" },
  rotateIntegrationCredential: { of: "integration", body: () => ({ what: "token" }) },
  listIntegrationDeliveries: { of: "integration" },
  makeSigningSecret: { of: "integration" },
  listDeliveries: {},
  getDelivery: { of: "delivery" },
  retryDelivery: { of: "delivery" },
  listIntegrationTypes: {},
  getIntegrationType: { of: "integration_type" },
  listLogs: {},
  getLog: { of: "log" },
  listMaintenanceWindows: {},
  getMaintenanceWindow: { of: "maintenance_window" },
  createMaintenanceWindow: { body: window },
  updateMaintenanceWindow: { of: "maintenance_window", body: name },
  deleteMaintenanceWindow: { of: "maintenance_window" },
  listNotificationRules: {},
  getNotificationRule: { of: "notification_rule" },
  createNotificationRule: { body: name },
  updateNotificationRule: { of: "notification_rule", body: name },
  deleteNotificationRule: { of: "notification_rule" },
  confirmPhone: { of: "phone", body: () => ({ code: "123456" }) },
  importAccountUsers: { body: () => ({ people: [{ email: "import@example.com" }] }) },
  inviteAccountUser: { of: "account_user" },
  sendPhoneCode: { of: "phone" },
  sendEmailLink: { of: "email" },
  getContactCard: {},
  getPushKey: {},
  listChannelAddresses: {},
  getChannelAddress: { of: "channel_address" },
  createChannelAddress: {
    body: () => ({
      channel: "ntfy",
      settings: { server: "https://ntfy.sh", topic: "tocsin-sample" },
    }),
  },
  deleteChannelAddress: { of: "channel_address" },
  sendChannelAddressCode: { of: "channel_address" },
  confirmChannelAddress: { of: "channel_address", body: () => ({ code: "123456" }) },
  listChatAccounts: {},
  getChatAccount: { of: "chat_account" },
  deleteChatAccount: { of: "chat_account" },
  listPushSubscriptions: {},
  getPushSubscription: { of: "push_subscription" },
  createPushSubscription: { body: () => newSubscription() },
  deletePushSubscription: { of: "push_subscription" },
  listRouters: {},
  getRouter: { of: "router" },
  createRouter: { body: ({ ids }) => ({ name: "Nights", default_receiver_team_id: ids.team.id }) },
  updateRouter: { of: "router", body: name },
  deleteRouter: { of: "router" },
  replayRouter: { body: ({ ids }) => ({ router: { id: ids.router.id, rules: "rules: []" } }) },
  getTeamsOnCall: { query: "start=2026-01-05 00:00:00&end=2026-01-12 00:00:00" },
  getUncoveredTeams: {},
  getReadiness: {},
  getDeployment: {},
  updateReadiness: { body: () => ({ weekly_digest: true }) },
  listReadinessPeople: {},
  reportAlerts: { query: "start=2026-01-05 00:00:00&end=2026-01-12 00:00:00" },
  reportOnCallHours: {
    query:
      "start=2026-01-05 00:00:00&end=2026-01-12 00:00:00&time_zone=London&holiday_region=GB-ENG",
  },
  exportOnCallHours: { query: "start=2026-01-05 00:00:00&end=2026-01-12 00:00:00&by=layer" },
  reportPeople: { query: "start=2026-01-05 00:00:00&end=2026-01-12 00:00:00" },
  exportConfiguration: {},
  importConfiguration: {
    body: () => ({ configuration: "tocsin: 1\nschedules: [{ key: spare, name: Spare }]\n" }),
  },
  listAbsences: {},
  getAbsence: { of: "absence" },
  listAbsenceNotifications: { of: "absence" },
  createAbsence: { body: absence },
  updateAbsence: { of: "absence", body: () => ({ reason: "Changed" }) },
  deleteAbsence: { of: "absence" },
  acceptAbsence: { of: "absence" },
  declineAbsence: { of: "absence" },
  cancelAbsence: { of: "absence" },
  listSchedules: {},
  getSchedule: { of: "schedule" },
  createSchedule: { body: name },
  updateSchedule: { of: "schedule", body: name },
  deleteSchedule: { of: "schedule" },
  flushSchedule: { of: "schedule" },
  listScheduleChanges: { of: "schedule" },
  getScheduleChange: { of: "schedule" },
  undoScheduleChange: { of: "schedule" },
  getScheduleCoverage: {
    of: "schedule",
    query: "start=2026-01-05 00:00:00&end=2026-01-06 00:00:00",
  },
  createScheduleFeed: { of: "schedule", body: name },
  getScheduleCurrentOncall: { of: "schedule" },
  listAccountUserWindowEvents: {
    of: "account_user",
    query: "start=2026-01-05 00:00:00&end=2026-01-06 00:00:00",
  },
  listScheduleWindowEvents: {
    of: "schedule",
    query: "start=2026-01-05 00:00:00&end=2026-01-06 00:00:00",
  },
  listScheduleEvents: { of: "schedule" },
  listTeams: {},
  getTeam: { of: "team" },
  createTeam: {
    body: ({ ids, accountUserId }) => ({
      name: "Payments",
      member_account_user_ids: [ids.account_user.id],
      admin_account_user_ids: [accountUserId],
    }),
  },
  updateTeam: { of: "team", body: () => ({ notes: "Changed" }) },
  deleteTeam: { of: "team" },
  getTeamCurrentOncall: { of: "team" },
  createTeamFeed: { of: "team", body: name },
  listTeamAlerts: { of: "team" },
  listTeamScheduledAccountUsers: { of: "team" },
  listUsers: {},
  getUser: { of: "user" },
  createUser: { body: () => ({ name: "Grace", email: email() }) },
  updateUser: { of: "user", body: () => ({ name: "Grace" }) },
  deleteUser: { of: "user" },
};

/** The sample of an operation. Throws if it has none; add one here for a new route. */
export function sampleOf(operation: string): Sample {
  const sample = samples[operation];
  if (sample === undefined)
    throw new Error(`${operation} has no row in test/support/integrations/samples.ts`);
  return sample;
}
