// All routes of the versioned API. Each is implemented in the file of its resource.

import { apiKeyRoutes } from "./features/access/api-keys/routes.ts";
import {
  alertHandOffRoutes,
  alertLifecycleRoutes,
  alertRoutes,
  logRoutes,
} from "./features/alerts/alerts/routes.ts";
import { bulkOperationRoutes } from "./features/alerts/bulk-operations/routes.ts";
import { commentRoutes } from "./features/alerts/comments/routes.ts";
import { exerciseRoutes } from "./features/alerts/drills/routes.ts";
import { alertPreviewRoutes, nextStepRoutes } from "./features/alerts/escalation/routes.ts";
import { savedFilterRoutes } from "./features/alerts/saved-filters/routes.ts";
import { broadcastRoutes } from "./features/broadcasts/broadcasts/routes.ts";
import { broadcastResponseRoutes } from "./features/broadcasts/responses/routes.ts";
import { deliveryRoutes } from "./features/integrations/deliveries/routes.ts";
import {
  integrationRotationRoutes,
  integrationRoutes,
  integrationTypeRoutes,
  signingSecretRoutes,
} from "./features/integrations/integrations/routes.ts";
import { maintenanceWindowRoutes } from "./features/integrations/maintenance-windows/routes.ts";
import {
  integrationPreviewRoutes,
  integrationTestEventRoutes,
  routerReplayRoutes,
} from "./features/integrations/trials/routes.ts";
import { notificationRoutes } from "./features/notifications/notifications/routes.ts";
import { absenceCalendarRoutes } from "./features/oncall/absence-calendars/routes.ts";
import { absenceRoutes } from "./features/oncall/absences/routes.ts";
import { calendarImportRoutes } from "./features/oncall/calendar-imports/routes.ts";
import { eventRoutes } from "./features/oncall/events/routes.ts";
import { calendarFeedRoutes } from "./features/oncall/feeds/routes.ts";
import { changeRoutes } from "./features/oncall/history/routes.ts";
import { companyHolidayRoutes, holidayRoutes } from "./features/oncall/holidays/routes.ts";
import { eventOccurrenceRoutes } from "./features/oncall/occurrences/routes.ts";
import { coverageRoutes, oncallRoutes } from "./features/oncall/on-call/routes.ts";
import { scheduleRoutes } from "./features/oncall/schedules/routes.ts";
import { onCallTeamRoutes, teamRoutes } from "./features/oncall/teams/routes.ts";
import { configurationRoutes } from "./features/operations/configuration/routes.ts";
import { deploymentRoutes } from "./features/operations/deployment/routes.ts";
import { removalRoutes } from "./features/operations/removal/routes.ts";
import { accountUserRoutes } from "./features/people/account-users/routes.ts";
import { channelAddressRoutes } from "./features/people/channel-addresses/routes.ts";
import { chatAccountRoutes } from "./features/people/chat-accounts/routes.ts";
import { emailRoutes, phoneRoutes } from "./features/people/contacts/routes.ts";
import { invitationRoutes } from "./features/people/invitations/routes.ts";
import { pushSubscriptionRoutes } from "./features/people/push-subscriptions/routes.ts";
import { userRoutes } from "./features/people/users/routes.ts";
import { onCallHoursRoutes } from "./features/reports/on-call-hours/routes.ts";
import { readinessRoutes } from "./features/reports/readiness/routes.ts";
import { reportRoutes } from "./features/reports/reports/routes.ts";
import { escalationPolicyRoutes } from "./features/routing/escalation-policies/routes.ts";
import { notificationRuleRoutes } from "./features/routing/notification-rules/routes.ts";
import { routerRoutes } from "./features/routing/routers/routes.ts";
import type { Endpoint, Route } from "./kernel/http/route.ts";

const endpoints = [
  ...absenceCalendarRoutes,
  ...absenceRoutes,
  ...companyHolidayRoutes,
  ...alertRoutes,
  ...alertHandOffRoutes,
  ...alertLifecycleRoutes,
  ...alertPreviewRoutes,
  ...accountUserRoutes,
  ...removalRoutes,
  ...apiKeyRoutes,
  ...broadcastRoutes,
  ...broadcastResponseRoutes,
  ...bulkOperationRoutes,
  ...calendarFeedRoutes,
  ...calendarImportRoutes,
  ...commentRoutes,
  ...configurationRoutes,
  ...deploymentRoutes,
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
