// The response body of every operation, by method and path: a name of the contract, a list of it
// with its envelope (`TeamList`) or without (`OnCallEntry[]`), the media type of a file, or nothing.
// `PATCH` responds as `PUT` does. A test compares the table with the routes; callers within the worker get their types
// from it.
import type { AnswerName, AnswerNamed } from "./answers.ts";
import type { List } from "./shared/list.ts";

/** The media types of files to download. */
type FileType = "text/csv" | "application/yaml";

export const OPERATIONS = {
  GET: {
    "/absence_calendars": "AbsenceCalendarList",
    "/absence_calendars/:id": "AbsenceCalendar",
    "/absences": "AbsenceList",
    "/absences/:id": "AbsenceWithShifts",
    "/absences/:id/notifications": "NotificationList",
    "/account_users": "AccountUserList",
    "/account_users/:id": "AccountUser",
    "/alerts": "AlertList",
    "/alerts/:id": "Alert",
    "/alerts/:id/comments": "CommentList",
    "/alerts/:id/next_steps": "NextStep[]",
    "/alerts/:id/notifications": "NotificationList",
    "/alerts/:id/workflows": "AlertWorkflowList",
    "/api_keys": "ApiKeyList",
    "/api_keys/:id": "ApiKey",
    "/broadcasts": "BroadcastList",
    "/broadcasts/:id": "Broadcast",
    "/broadcasts/:id/comments": "CommentList",
    "/broadcasts/:id/notifications": "NotificationList",
    "/broadcasts/:id/responses": "BroadcastResponseList",
    "/bulk_operations": "BulkOperationList",
    "/bulk_operations/:id": "BulkOperation",
    "/calendar_imports": "CalendarImportList",
    "/calendar_imports/:id": "CalendarImport",
    "/comments": "CommentList",
    "/comments/:id": "Comment",
    "/comments/:id/comments": "CommentList",
    "/company_holidays": "CompanyHolidayList",
    "/company_holidays/:id": "CompanyHoliday",
    "/configuration": "application/yaml",
    "/deliveries": "DeliveryList",
    "/drills": "DrillList",
    "/drills/:id": "Drill",
    "/deliveries/:id": "Delivery",
    "/escalation_policies": "EscalationPolicyList",
    "/escalation_policies/:id": "EscalationPolicy",
    "/events": "EventList",
    "/events/:id": "EventWithClockChanges",
    "/events/:id/occurrence": "EventOccurrence",
    "/events/time_zones": "TimeZoneList",
    "/feeds": "CalendarFeedList",
    "/feeds/:id": "CalendarFeed",
    "/holidays": "HolidayList",
    "/holidays/regions": "HolidayRegionList",
    "/integration_types": "IntegrationTypeList",
    "/integration_types/:id": "IntegrationType",
    "/integrations": "IntegrationList",
    "/integrations/:id": "Integration",
    "/integrations/:id/deliveries": "DeliveryList",
    "/logs": "LogList",
    "/logs/:id": "Log",
    "/maintenance_windows": "MaintenanceWindowList",
    "/maintenance_windows/:id": "MaintenanceWindow",
    "/notification_rules": "NotificationRuleList",
    "/notification_rules/:id": "NotificationRule",
    "/oncall": "OnCallTeam[]",
    "/oncall/uncovered": "UncoveredLayer[]",
    "/channel_addresses": "ChannelAddressList",
    "/channel_addresses/:id": "ChannelAddress",
    "/chat_accounts": "ChatAccountList",
    "/chat_accounts/:id": "ChatAccount",
    "/phones/contact_card": "ContactCard",
    "/push_subscriptions": "PushSubscriptionList",
    "/push_subscriptions/:id": "PushSubscription",
    "/push_subscriptions/key": "PushKey",
    "/readiness": "Readiness",
    "/readiness/people": "ReadinessPersonList",
    "/reports/alerts": "AlertsReport",
    "/reports/on_call_hours": "OnCallHours",
    "/reports/on_call_hours.csv": "text/csv",
    "/reports/people": "PeopleReport",
    "/routers": "RouterList",
    "/routers/:id": "Router",
    "/saved_filters": "SavedFilterList",
    "/saved_filters/:id": "SavedFilter",
    "/schedules": "ScheduleList",
    "/schedules/:id": "Schedule",
    "/schedules/:id/conflicts": "ScheduleConflicts",
    "/schedules/:id/changes": "ScheduleChangeWithHoursList",
    "/schedules/:id/changes/:change_id": "ScheduleChangeWithEffect",
    "/schedules/:id/coverage": "Coverage",
    "/schedules/:id/current_oncall": "OnCallEntry[]",
    "/schedules/:id/events": "EventList",
    "/schedules/:id/window_events": "OnCallEntry[]",
    "/account_users/:id/window_events": "OnCallEntry[]",
    "/teams": "TeamList",
    "/teams/:id": "Team",
    "/teams/:id/alerts": "AlertList",
    "/teams/:id/scheduled_account_users": "AccountUserList",
    "/teams/:id/current_oncall": "OnCallEntry[]",
    "/users": "UserList",
    "/users/:id": "User",
  },
  POST: {
    "/teams/:id/drills": "Drill",
    "/test_pages": "Alert",
    "/absence_calendars": "AbsenceCalendar",
    "/absence_calendars/:id/refresh": "AbsenceCalendar",
    "/absences": "AbsenceWithShifts",
    "/absences/:id/accept": "Absence",
    "/absences/:id/cancel": "Absence",
    "/absences/:id/decline": "Absence",
    "/account_users": "AccountUser",
    "/account_users/import": "AccountUserImport",
    "/account_users/:id/feeds": "CalendarFeedWithUrl",
    "/account_users/:id/invite": "AccountUser",
    "/alerts": "Alert",
    "/alerts/:id/acknowledge": "Alert",
    "/alerts/:id/comments": "Comment",
    "/alerts/:id/escalate": "Alert",
    "/alerts/:id/handoff": "Alert",
    "/alerts/:id/merge": "Alert",
    "/alerts/:id/reject": "Alert",
    "/alerts/:id/reopen": "Alert",
    "/alerts/:id/resolve": "Alert",
    "/alerts/:id/responders": "Alert",
    "/alerts/:id/snooze": "Alert",
    "/alerts/:id/undo": "Alert",
    "/alerts/preview": "AlertPreview",
    "/api_keys": "ApiKeyWithKey",
    "/broadcasts": "Broadcast",
    "/broadcasts/:id/comments": "Comment",
    "/broadcasts/:id/responses": "BroadcastResponse",
    "/bulk_operations": "BulkOperation",
    "/calendar_imports": "CalendarImport",
    "/calendar_imports/:id/refresh": "CalendarImport",
    "/comments": "Comment",
    "/comments/:id/comments": "Comment",
    "/company_holidays": "CompanyHoliday",
    "/configuration": "ConfigurationImport",
    "/deliveries/:id/retry": "Delivery",
    "/emails/:id/send_link": "Email",
    "/escalation_policies": "EscalationPolicy",
    "/events": "Event",
    "/events/:id/add_exception": "EventWithOverridesRemoved",
    "/events/:id/change_following": "EventWithFollowingEffects",
    "/events/:id/move_part": "PartMove",
    "/events/:id/override": "Event",
    "/events/:id/preview_following": "FollowingPreview",
    "/events/:id/remove_part": "PartRemoval",
    "/events/:id/take_over": "Event",
    "/events/:id/terminate_on": "EventWithOverridesRemoved",
    "/integrations": "Integration",
    "/integrations/:id/preview": "IntegrationPreview",
    "/integrations/:id/replay": "IntegrationReplay",
    "/integrations/:id/rotate": "RotatedCredential",
    "/integrations/:id/secret": "SigningSecret",
    "/integrations/:id/test": "IntegrationTest",
    "/maintenance_windows": "MaintenanceWindow",
    "/notification_rules": "NotificationRule",
    "/phones/:id/confirm": "Phone",
    "/phones/:id/send_code": "Phone",
    "/channel_addresses": "ChannelAddress",
    "/channel_addresses/:id/confirm": "ChannelAddress",
    "/channel_addresses/:id/send_code": "ChannelAddressProof",
    "/push_subscriptions": "PushSubscription",
    "/routers": "Router",
    "/routers/replay": "RouterReplay",
    "/saved_filters": "SavedFilter",
    "/schedules": "Schedule",
    "/schedules/:id/changes/:change_id/undo": "ScheduleChange",
    "/schedules/:id/feeds": "CalendarFeedWithUrl",
    "/teams": "Team",
    "/teams/:id/feeds": "CalendarFeedWithUrl",
    "/users": "User",
  },
  PUT: {
    "/readiness": "Readiness",
    "/absence_calendars/:id": "AbsenceCalendar",
    "/absences/:id": "AbsenceWithShifts",
    "/account_users/:id": "AccountUser",
    "/alerts/:id": "Alert",
    "/broadcasts/:id": "Broadcast",
    "/calendar_imports/:id": "CalendarImport",
    "/company_holidays/:id": "CompanyHoliday",
    "/escalation_policies/:id": "EscalationPolicy",
    "/events/:id": "EventWithOverridesRemoved",
    "/integrations/:id": "Integration",
    "/maintenance_windows/:id": "MaintenanceWindow",
    "/notification_rules/:id": "NotificationRule",
    "/routers/:id": "Router",
    "/saved_filters/:id": "SavedFilter",
    "/schedules/:id": "Schedule",
    "/teams/:id": "Team",
    "/users/:id": "User",
  },
  DELETE: {
    "/absence_calendars/:id": null,
    "/absences/:id": null,
    "/account_users/:id": null,
    "/alerts/:id": null,
    "/api_keys/:id": null,
    "/broadcasts/:id": null,
    "/calendar_imports/:id": null,
    "/company_holidays/:id": null,
    "/escalation_policies/:id": null,
    "/events/:id": null,
    "/feeds/:id": null,
    "/integrations/:id": null,
    "/maintenance_windows/:id": null,
    "/notification_rules/:id": null,
    "/channel_addresses/:id": null,
    "/chat_accounts/:id": null,
    "/push_subscriptions/:id": null,
    "/routers/:id": null,
    "/saved_filters/:id": null,
    "/schedules/:id": null,
    "/schedules/:id/flush": null,
    "/teams/:id": null,
  },
} as const satisfies Record<
  string,
  Record<string, AnswerName | `${AnswerName}List` | `${AnswerName}[]` | FileType | null>
>;

type Operations = typeof OPERATIONS;

/** The type of a response as the table writes it. */
type AnswerWritten<Written> = Written extends AnswerName
  ? AnswerNamed<Written>
  : Written extends `${infer Item extends AnswerName}List`
    ? List<AnswerNamed<Item>>
    : Written extends `${infer Item extends AnswerName}[]`
      ? readonly AnswerNamed<Item>[]
      : Written extends FileType
        ? string
        : null;

export type Method = keyof Operations;
export type PathOf<Of extends Method> = keyof Operations[Of] & string;

/** The response type of an operation. */
export type AnswerTo<Of extends Method, Path extends PathOf<Of>> = AnswerWritten<
  Operations[Of][Path]
>;

/** The paths that respond with lists. */
export type ListPath = {
  [Path in PathOf<"GET">]: Operations["GET"][Path] extends `${AnswerName}List` ? Path : never;
}[PathOf<"GET">];

/** The record type of a path's list. */
export type ItemOf<Path extends ListPath> =
  AnswerTo<"GET", Path> extends List<infer Item> ? Item : never;

/** The names of a path's parameters, such as `id` in `/alerts/:id`. */
export type ParametersOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParametersOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;
