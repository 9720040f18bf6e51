// Every page of the console and everything a form of it does, in one visible list.
import type { ConsolePage } from "./page.ts";
import { alertPages } from "./pages/alert.tsx";
import { alertActions } from "./pages/alert-actions.tsx";
import { alertEditPages } from "./pages/alert-edit.tsx";
import { alertNewPages } from "./pages/alert-new.tsx";
import { alertsPages } from "./pages/alerts.tsx";
import { apiKeysPages } from "./pages/api-keys.tsx";
import { broadcastPages } from "./pages/broadcast.tsx";
import { broadcastsPages } from "./pages/broadcasts.tsx";
import { calendarDataPages } from "./pages/calendar-data.ts";
import { configurationPages } from "./pages/configuration.tsx";
import { escalationPoliciesPages } from "./pages/escalation-policies.tsx";
import { eventPages } from "./pages/event.tsx";
import { eventEditPages } from "./pages/event-edit.tsx";
import { eventMovePages } from "./pages/event-move.tsx";
import { eventNewPages } from "./pages/event-new.tsx";
import { eventOverridePages } from "./pages/event-override.tsx";
import { forgottenPages } from "./pages/forgotten.tsx";
import { integrationLogPages } from "./pages/integration-log.tsx";
import { integrationsPages } from "./pages/integrations.tsx";
import { maintenanceWindowsPages } from "./pages/maintenance-windows.tsx";
import { notificationRulesPages } from "./pages/notification-rules.tsx";
import { onCallPages } from "./pages/on-call.tsx";
import { passwordPages } from "./pages/password.tsx";
import { peoplePages } from "./pages/people.tsx";
import { reportsPages } from "./pages/reports.tsx";
import { routersPages } from "./pages/routers.tsx";
import { schedulePages } from "./pages/schedule.tsx";
import { schedulesPages } from "./pages/schedules.tsx";
import { setUpPages } from "./pages/set-up.tsx";
import { settingsPages } from "./pages/settings.tsx";
import { settingsActions } from "./pages/settings-actions.tsx";
import { signInPages } from "./pages/sign-in.tsx";
import { singleSignOnPages } from "./pages/single-sign-on.tsx";
import { teamsPages } from "./pages/teams.tsx";
import { verifyAddressPages } from "./pages/verify-address.tsx";

export const pages: readonly ConsolePage[] = [
  ...signInPages,
  ...singleSignOnPages,
  ...passwordPages,
  ...forgottenPages,
  ...alertsPages,
  ...alertNewPages,
  ...alertActions,
  ...alertEditPages,
  ...alertPages,
  ...onCallPages,
  ...settingsPages,
  ...settingsActions,
  ...verifyAddressPages,
  ...setUpPages,
  ...schedulesPages,
  ...calendarDataPages,
  ...eventNewPages,
  ...schedulePages,
  ...eventPages,
  ...eventEditPages,
  ...eventMovePages,
  ...eventOverridePages,
  ...apiKeysPages,
  ...broadcastsPages,
  ...broadcastPages,
  ...configurationPages,
  ...escalationPoliciesPages,
  ...integrationLogPages,
  ...integrationsPages,
  ...maintenanceWindowsPages,
  ...notificationRulesPages,
  ...peoplePages,
  ...reportsPages,
  ...routersPages,
  ...teamsPages,
];
