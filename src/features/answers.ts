// The schemas of response bodies and of the payloads that senders post, by name. Routes and the
// reference refer to them.
import type * as z from "zod";
import * as escalationPolicy from "../features/routing/escalation-policies/contract.ts";
import * as notificationRule from "../features/routing/notification-rules/contract.ts";
import * as router from "../features/routing/routers/contract.ts";
import { ErrorMessage, Refused } from "../kernel/contract/error.ts";
import * as apiKey from "./access/api-keys/contract.ts";
import * as alert from "./alerts/alerts/contract.ts";
import * as bulkOperation from "./alerts/bulk-operations/contract.ts";
import * as comment from "./alerts/comments/contract.ts";
import * as drill from "./alerts/drills/contract.ts";
import * as nextStep from "./alerts/escalation/contract.ts";
import * as savedFilter from "./alerts/saved-filters/contract.ts";
import * as broadcast from "./broadcasts/broadcasts/contract.ts";
import * as broadcastResponse from "./broadcasts/responses/contract.ts";
import * as delivery from "./integrations/deliveries/contract.ts";
import * as integration from "./integrations/integrations/contract.ts";
import * as maintenanceWindow from "./integrations/maintenance-windows/contract.ts";
import * as integrationPreview from "./integrations/trials/contract.ts";
import * as notification from "./notifications/notifications/contract.ts";
import * as absenceCalendar from "./oncall/absence-calendars/contract.ts";
import * as absence from "./oncall/absences/contract.ts";
import * as calendarImport from "./oncall/calendar-imports/contract.ts";
import * as event from "./oncall/events/contract.ts";
import * as calendarFeed from "./oncall/feeds/contract.ts";
import * as scheduleChange from "./oncall/history/contract.ts";
import * as companyHoliday from "./oncall/holidays/contract.ts";
import * as eventOccurrence from "./oncall/occurrences/contract.ts";
import * as onCall from "./oncall/on-call/contract.ts";
import * as schedule from "./oncall/schedules/contract.ts";
import * as timeZones from "./oncall/schedules/time-zones.ts";
import * as team from "./oncall/teams/contract.ts";
import * as configurationImport from "./operations/configuration/contract.ts";
import * as deployment from "./operations/deployment/contract.ts";
import * as accountUser from "./people/account-users/contract.ts";
import * as channelAddress from "./people/channel-addresses/contract.ts";
import * as chatAccount from "./people/chat-accounts/contract.ts";
import * as contact from "./people/contacts/contract.ts";
import * as pushSubscription from "./people/push-subscriptions/contract.ts";
import * as user from "./people/users/contract.ts";
import * as onCallHours from "./reports/on-call-hours/contract.ts";
import * as readiness from "./reports/readiness/contract.ts";
import * as alertsReport from "./reports/reports/contract.ts";

export const ANSWERS = {
  ...apiKey,
  ...alert,
  DrillPerson: drill.DrillPerson,
  Drill: drill.Drill,
  BulkRefusal: bulkOperation.BulkRefusal,
  BulkOperation: bulkOperation.BulkOperation,
  AlertFilter: savedFilter.AlertFilter,
  SavedFilter: savedFilter.SavedFilter,
  ...comment,
  ...nextStep,
  ...notification,
  ...broadcast,
  ...broadcastResponse,
  ...absenceCalendar,
  ...calendarImport,
  ...companyHoliday,
  ...configurationImport,
  ...deployment,
  ...delivery,
  ...integration,
  ...integrationPreview,
  ...maintenanceWindow,
  ...calendarFeed,
  ...absence,
  ...scheduleChange,
  ...escalationPolicy,
  ...event,
  ...eventOccurrence,
  ...onCall,
  ...schedule,
  ...team,
  ...timeZones,
  ...accountUser,
  ...contact,
  ...channelAddress,
  ...chatAccount,
  ...pushSubscription,
  ...user,
  ...alertsReport,
  ...onCallHours,
  ReadinessStep: readiness.ReadinessStep,
  Readiness: readiness.Readiness,
  ReadinessPerson: readiness.ReadinessPerson,
  ...notificationRule,
  ...router,
  ErrorMessage,
  Error: Refused,
};

type AnswersByName = {
  readonly [Name in keyof typeof ANSWERS]: z.output<(typeof ANSWERS)[Name]>;
};

declare module "../kernel/contract/answers.ts" {
  interface Answers extends AnswersByName {}
}

export type { AnswerName, AnswerNamed } from "../kernel/contract/answers.ts";
