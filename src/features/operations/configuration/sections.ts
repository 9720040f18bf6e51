import { absencesSection } from "./absences-section.ts";
import { escalationPoliciesSection } from "./escalation-policies-section.ts";
import { eventsSection } from "./events-section.ts";
import { absenceCalendarsSection, companyHolidaysSection } from "./holidays-sections.ts";
import { integrationsSection } from "./integrations-section.ts";
import { maintenanceWindowsSection } from "./maintenance-windows-section.ts";
import { notificationRulesSection } from "./notification-rules-section.ts";
import { peopleSection } from "./people-section.ts";
import { routersSection } from "./routers-section.ts";
import { schedulesSection } from "./schedules-section.ts";
import type { ConfigurationSection } from "./section.ts";
import { teamsSection } from "./teams-section.ts";

/** In the order in which they are written: what a record needs to exist comes before it. */
export const SECTIONS: readonly ConfigurationSection[] = [
  notificationRulesSection,
  peopleSection,
  schedulesSection,
  escalationPoliciesSection,
  teamsSection,
  eventsSection,
  companyHolidaysSection,
  absenceCalendarsSection,
  absencesSection,
  routersSection,
  integrationsSection,
  maintenanceWindowsSection,
];
