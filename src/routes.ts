// All routes of the versioned API. Each is implemented in the file of its resource.

import { apiKeyRoutes } from "./api/access/api-keys.ts";
import { alertHandOffRoutes } from "./api/alerts/alert-handoff.ts";
import { alertLifecycleRoutes } from "./api/alerts/alert-lifecycle.ts";
import { alertPreviewRoutes } from "./api/alerts/alert-preview.ts";
import { alertRoutes } from "./api/alerts/alerts.ts";
import { bulkOperationRoutes } from "./api/alerts/bulk-operations.ts";
import { commentRoutes } from "./api/alerts/comments.ts";
import { exerciseRoutes } from "./api/alerts/exercises.ts";
import { logRoutes } from "./api/alerts/logs.ts";
import { nextStepRoutes } from "./api/alerts/next-steps.ts";
import { notificationRoutes } from "./api/alerts/notifications.ts";
import { savedFilterRoutes } from "./api/alerts/saved-filters.ts";
import { broadcastResponseRoutes } from "./api/broadcasts/broadcast-responses.ts";
import { broadcastRoutes } from "./api/broadcasts/broadcasts.ts";
import { configurationRoutes } from "./api/configuration/configuration.ts";
import { deliveryRoutes } from "./api/integrations/deliveries.ts";
import { integrationPreviewRoutes } from "./api/integrations/integration-preview.ts";
import { integrationRotationRoutes } from "./api/integrations/integration-rotation.ts";
import { integrationTestEventRoutes } from "./api/integrations/integration-test-event.ts";
import { integrationTypeRoutes } from "./api/integrations/integration-types.ts";
import { integrationRoutes } from "./api/integrations/integrations.ts";
import { maintenanceWindowRoutes } from "./api/integrations/maintenance-windows.ts";
import { signingSecretRoutes } from "./api/integrations/signing-secrets.ts";
import { absenceRoutes } from "./api/oncall/absences.ts";
import { absenceCalendarRoutes } from "./api/oncall/calendars/absence-calendars.ts";
import { calendarImportRoutes } from "./api/oncall/calendars/calendar-imports.ts";
import { companyHolidayRoutes } from "./api/oncall/calendars/company-holidays.ts";
import { changeRoutes } from "./api/oncall/changes.ts";
import { coverageRoutes } from "./api/oncall/coverage.ts";
import { eventOccurrenceRoutes } from "./api/oncall/event-occurrences.ts";
import { eventRoutes } from "./api/oncall/events.ts";
import { calendarFeedRoutes } from "./api/oncall/feeds/calendar-feeds.ts";
import { holidayRoutes } from "./api/oncall/holidays.ts";
import { oncallRoutes } from "./api/oncall/oncall.ts";
import { onCallTeamRoutes } from "./api/oncall/oncall-teams.ts";
import { scheduleRoutes } from "./api/oncall/schedules.ts";
import { accountUserRoutes } from "./api/people/account-users.ts";
import { channelAddressRoutes } from "./api/people/contacts/channel-addresses.ts";
import { chatAccountRoutes } from "./api/people/contacts/chat-accounts.ts";
import { emailRoutes } from "./api/people/contacts/emails.ts";
import { phoneRoutes } from "./api/people/contacts/phones.ts";
import { pushSubscriptionRoutes } from "./api/people/contacts/push-subscriptions.ts";
import { invitationRoutes } from "./api/people/invitations.ts";
import { teamRoutes } from "./api/people/teams.ts";
import { userRoutes } from "./api/people/users.ts";
import { onCallHoursRoutes } from "./api/reports/on-call-hours.ts";
import { readinessRoutes } from "./api/reports/readiness.ts";
import { reportRoutes } from "./api/reports/reports.ts";
import { escalationPolicyRoutes } from "./features/routing/escalation-policies/routes.ts";
import { notificationRuleRoutes } from "./features/routing/notification-rules/routes.ts";
import { routerReplayRoutes, routerRoutes } from "./features/routing/routers/routes.ts";
import type { Endpoint, Route } from "./http/route.ts";

const endpoints = [
  ...absenceCalendarRoutes,
  ...absenceRoutes,
  ...companyHolidayRoutes,
  ...alertRoutes,
  ...alertHandOffRoutes,
  ...alertLifecycleRoutes,
  ...alertPreviewRoutes,
  ...accountUserRoutes,
  ...apiKeyRoutes,
  ...broadcastRoutes,
  ...broadcastResponseRoutes,
  ...bulkOperationRoutes,
  ...calendarFeedRoutes,
  ...calendarImportRoutes,
  ...commentRoutes,
  ...configurationRoutes,
  ...changeRoutes,
  ...coverageRoutes,
  ...deliveryRoutes,
  ...emailRoutes,
  ...exerciseRoutes,
  ...escalationPolicyRoutes,
  ...eventRoutes,
  ...eventOccurrenceRoutes,
  ...holidayRoutes,
  ...integrationRoutes,
  ...integrationPreviewRoutes,
  ...integrationRotationRoutes,
  ...integrationTestEventRoutes,
  ...integrationTypeRoutes,
  ...invitationRoutes,
  ...logRoutes,
  ...maintenanceWindowRoutes,
  ...nextStepRoutes,
  ...notificationRoutes,
  ...notificationRuleRoutes,
  ...oncallRoutes,
  ...onCallHoursRoutes,
  ...onCallTeamRoutes,
  ...phoneRoutes,
  ...channelAddressRoutes,
  ...chatAccountRoutes,
  ...pushSubscriptionRoutes,
  ...readinessRoutes,
  ...reportRoutes,
  ...routerRoutes,
  ...routerReplayRoutes,
  ...savedFilterRoutes,
  ...scheduleRoutes,
  ...signingSecretRoutes,
  ...teamRoutes,
  ...userRoutes,
];

/** Every route of the versioned API, relative to `/api/v4`. */
export const routes: readonly Route[] = endpoints;

type Of<One> =
  One extends Endpoint<infer Method, infer Path, infer Body>
    ? { readonly method: Method; readonly path: Path; readonly body: Body }
    : never;

type Known = Of<(typeof endpoints)[number]>;

/** The type of what each operation answers, by method and path. */
export type Operations = {
  readonly [Method in Known["method"]]: {
    readonly [One in Extract<Known, { readonly method: Method }> as One["path"]]: One["body"];
  };
};
