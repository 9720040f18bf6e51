// The schemas of response bodies and of the payloads that senders post, by name. Routes and the
// reference refer to them.
import type * as z from "zod";
import * as escalationPolicy from "../features/routing/escalation-policies/contract.ts";
import * as notificationRule from "../features/routing/notification-rules/contract.ts";
import * as router from "../features/routing/routers/contract.ts";
import * as apiKey from "./access/api-key.ts";
import * as alert from "./alerts/alert.ts";
import * as alertPreview from "./alerts/alert-preview.ts";
import * as alertWorkflow from "./alerts/alert-workflow.ts";
import * as comment from "./alerts/comment.ts";
import * as drill from "./alerts/drill.ts";
import * as bulkOperation from "./alerts/lists/bulk-operation.ts";
import * as savedFilter from "./alerts/lists/saved-filter.ts";
import * as log from "./alerts/log.ts";
import * as nextStep from "./alerts/next-step.ts";
import * as notification from "./alerts/notification.ts";
import * as broadcast from "./broadcasts/broadcast.ts";
import * as broadcastResponse from "./broadcasts/broadcast-response.ts";
import * as absenceCalendar from "./calendars/absence-calendar.ts";
import * as calendarImport from "./calendars/calendar-import.ts";
import * as companyHoliday from "./calendars/company-holiday.ts";
import * as configurationImport from "./configuration/configuration-import.ts";
import * as delivery from "./integrations/delivery.ts";
import * as integration from "./integrations/integration.ts";
import * as integrationCredentials from "./integrations/integration-credentials.ts";
import * as integrationPreview from "./integrations/integration-preview.ts";
import * as integrationReplay from "./integrations/integration-replay.ts";
import * as integrationType from "./integrations/integration-type.ts";
import * as maintenanceWindow from "./integrations/maintenance-window.ts";
import * as webhookEvent from "./integrations/webhook-event.ts";
import * as absence from "./oncall/absences/absence.ts";
import * as calendarFeed from "./oncall/calendar-feed.ts";
import * as coverage from "./oncall/coverage.ts";
import * as event from "./oncall/events/event.ts";
import * as eventFollowing from "./oncall/events/event-following.ts";
import * as eventOccurrence from "./oncall/events/event-occurrence.ts";
import * as scheduleChange from "./oncall/history/schedule-change.ts";
import * as holiday from "./oncall/holidays/holiday.ts";
import * as onCall from "./oncall/on-call.ts";
import * as onCallPreview from "./oncall/on-call-preview.ts";
import * as schedule from "./oncall/schedule.ts";
import * as timeZones from "./oncall/time-zones.ts";
import * as accountUser from "./people/account-user.ts";
import * as channelAddress from "./people/addresses/channel-address.ts";
import * as chatAccount from "./people/addresses/chat-account.ts";
import * as contact from "./people/contact.ts";
import * as pushSubscription from "./people/push-subscription.ts";
import * as team from "./people/team.ts";
import * as user from "./people/user.ts";
import * as alertsReport from "./reports/alerts-report.ts";
import * as onCallHours from "./reports/on-call-hours.ts";
import * as peopleReport from "./reports/people-report.ts";
import * as readiness from "./reports/readiness.ts";
import { ErrorMessage, Refused } from "./shared/error.ts";

export const ANSWERS = {
  ...apiKey,
  ...alert,
  ...alertPreview,
  ...alertWorkflow,
  DrillPerson: drill.DrillPerson,
  Drill: drill.Drill,
  BulkRefusal: bulkOperation.BulkRefusal,
  BulkOperation: bulkOperation.BulkOperation,
  AlertFilter: savedFilter.AlertFilter,
  SavedFilter: savedFilter.SavedFilter,
  ...comment,
  ...log,
  ...nextStep,
  ...notification,
  ...broadcast,
  ...broadcastResponse,
  ...absenceCalendar,
  ...calendarImport,
  ...companyHoliday,
  ...configurationImport,
  ...delivery,
  ...integration,
  ...integrationCredentials,
  ...integrationPreview,
  ...integrationReplay,
  ...integrationType,
  ...maintenanceWindow,
  ...webhookEvent,
  ...calendarFeed,
  ...absence,
  ...coverage,
  ...scheduleChange,
  ...escalationPolicy,
  ...event,
  ...eventFollowing,
  ...eventOccurrence,
  ...holiday,
  ...onCall,
  ...onCallPreview,
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
  ...peopleReport,
  ReadinessStep: readiness.ReadinessStep,
  Readiness: readiness.Readiness,
  ReadinessPerson: readiness.ReadinessPerson,
  ...notificationRule,
  ...router,
  ErrorMessage,
  Error: Refused,
};

export type AnswerName = keyof typeof ANSWERS;

/** The type of the response with this name. */
export type AnswerNamed<Name extends AnswerName> = z.output<(typeof ANSWERS)[Name]>;
