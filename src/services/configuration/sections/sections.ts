import { escalationPoliciesSection } from "./escalation-policies.ts";
import { notificationRulesSection } from "./notification-rules.ts";
import { peopleSection } from "./people.ts";
import { routersSection } from "./routers.ts";
import { schedulesSection } from "./schedules.ts";
import type { Section } from "./section.ts";
import { teamsSection } from "./teams.ts";

/** In the order in which they are written: what a record needs to exist comes before it. */
export const SECTIONS: readonly Section[] = [
  notificationRulesSection,
  peopleSection,
  schedulesSection,
  escalationPoliciesSection,
  teamsSection,
  routersSection,
];
