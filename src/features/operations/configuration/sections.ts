import { escalationPoliciesSection } from "./escalation-policies-section.ts";
import { notificationRulesSection } from "./notification-rules-section.ts";
import { peopleSection } from "./people-section.ts";
import { routersSection } from "./routers-section.ts";
import { schedulesSection } from "./schedules-section.ts";
import type { Section } from "./section.ts";
import { teamsSection } from "./teams-section.ts";

/** In the order in which they are written: what a record needs to exist comes before it. */
export const SECTIONS: readonly Section[] = [
  notificationRulesSection,
  peopleSection,
  schedulesSection,
  escalationPoliciesSection,
  teamsSection,
  routersSection,
];
