// The list of all pages and actions of the console.

import { apiKeysPages } from "./access/api-keys.tsx";
import { linkPages } from "./access/link-pages.tsx";
import { passwordPages } from "./access/password.tsx";
import { settingsPages } from "./access/settings.tsx";
import { settingsActions } from "./access/settings-actions.tsx";
import { signInPages } from "./access/sign-in.tsx";
import { singleSignOnPages } from "./access/single-sign-on.tsx";
import { alertPages } from "./alerts/alert.tsx";
import { alertActions } from "./alerts/alert-actions.tsx";
import { alertFormPages } from "./alerts/alert-edit.tsx";
import { alertsPages } from "./alerts/alerts.tsx";
import { bulkPages } from "./alerts/bulk-operation.tsx";
import { savedFiltersPages } from "./alerts/saved-filters.tsx";
import { broadcastPages } from "./broadcasts/broadcast.tsx";
import { broadcastsPages } from "./broadcasts/broadcasts.tsx";
import { choicesPages } from "./configuration/choices.ts";
import { configurationPages } from "./configuration/configuration.tsx";
import { configurationFilePages } from "./configuration/configuration-file.tsx";
import { deploymentPages } from "./configuration/deployment.tsx";
import { searchPages } from "./configuration/search.tsx";
import { formerAddresses } from "./former-addresses.ts";
import { homePages } from "./home.tsx";
import { integrationsPages } from "./integrations/integrations.tsx";
import { maintenanceWindowsPages } from "./integrations/maintenance-windows.tsx";
import { absencePages } from "./oncall/absences/absence.tsx";
import { awayPages } from "./oncall/absences/away.tsx";
import { calendarDataPages } from "./oncall/calendar-data.ts";
import {
  absenceCalendarPages,
  calendarImportPages,
  companyHolidayPages,
} from "./oncall/calendars/calendar-forms.tsx";
import { calendarsPages } from "./oncall/calendars/calendars.tsx";
import { eventNewPages } from "./oncall/events/event-new.tsx";
import { eventPages } from "./oncall/events/event-pages.ts";
import { eventRemovePages } from "./oncall/events/event-remove.tsx";
import { removalPages } from "./oncall/events/schedule-removal.tsx";
import { takeOverPages } from "./oncall/events/take-over.tsx";
import { historyPages } from "./oncall/history.tsx";
import { onCallPages } from "./oncall/on-call.tsx";
import { rotationNewPages } from "./oncall/rotation/rotation-new.tsx";
import { schedulePages } from "./oncall/schedule.tsx";
import type { ConsolePage } from "./page.ts";
import { peoplePages } from "./people/people.tsx";
import { personPages } from "./people/person.tsx";
import { teamsPages } from "./people/teams.tsx";
import { drillsPages } from "./reports/drills.tsx";
import { hoursPages } from "./reports/hours.tsx";
import { readinessPages } from "./reports/readiness.tsx";
import { reportsPages } from "./reports/reports.tsx";
import { escalationPoliciesPages } from "./routing/escalation-policies.tsx";
import { notificationRulesPages } from "./routing/notification-rules.tsx";
import { routersPages } from "./routing/routers.tsx";

export const pages: readonly ConsolePage[] = [
  ...formerAddresses,
  ...signInPages,
  ...singleSignOnPages,
  ...passwordPages,
  ...homePages,
  ...alertsPages,
  ...bulkPages,
  ...savedFiltersPages,
  ...alertFormPages,
  ...alertActions,
  ...alertPages,
  ...onCallPages,
  ...awayPages,
  ...absencePages,
  ...calendarsPages,
  ...absenceCalendarPages,
  ...companyHolidayPages,
  ...settingsPages,
  ...linkPages,
  ...settingsActions,
  ...searchPages,
  ...calendarDataPages,
  ...eventNewPages,
  ...calendarImportPages,
  ...rotationNewPages,
  ...historyPages,
  ...schedulePages,
  ...eventPages,
  ...eventRemovePages,
  ...removalPages,
  ...takeOverPages,
  ...apiKeysPages,
  ...broadcastsPages,
  ...broadcastPages,
  ...choicesPages,
  ...configurationPages,
  ...configurationFilePages,
  ...deploymentPages,
  ...drillsPages,
  ...escalationPoliciesPages,
  ...hoursPages,
  ...integrationsPages,
  ...maintenanceWindowsPages,
  ...notificationRulesPages,
  ...peoplePages,
  ...personPages,
  ...readinessPages,
  ...reportsPages,
  ...routersPages,
  ...teamsPages,
];
