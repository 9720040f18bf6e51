import { selectEvery } from "../../../kernel/db/records.ts";
import type { Team } from "../../oncall/teams/contract.ts";
import { CreateTeam, UpdateTeam } from "../../oncall/teams/parameters.ts";
import { teamRecords } from "../../oncall/teams/team-records.ts";
import { createTeam, updateTeam } from "../../oncall/teams/verbs.ts";
import {
  byId,
  declareSection,
  type Entry,
  type Finder,
  type KeyOf,
  type Parameters,
  pick,
  plainFields,
  validated,
} from "./section.ts";

const PLAIN = plainFields(CreateTeam);

/** The fields that list people, and their parameters. */
const PEOPLE = {
  members: "member_account_user_ids",
  admins: "admin_account_user_ids",
  drop_notification_people: "drop_notification_account_user_ids",
  handoff_notification_people: "handoff_notification_account_user_ids",
  gap_notification_people: "gap_notification_account_user_ids",
} as const;
type PeopleField = keyof typeof PEOPLE;
const PEOPLE_FIELDS: readonly PeopleField[] = [
  "members",
  "admins",
  "drop_notification_people",
  "handoff_notification_people",
  "gap_notification_people",
];

/** Teams with their members and admins. */
export const teamsSection = declareSection({
  name: "teams",
  kind: "team",
  fields: [...PLAIN, "schedule", "escalation_policy", ...PEOPLE_FIELDS],
  fieldNames: {
    schedule_id: "schedule",
    escalation_policy_id: "escalation_policy",
    ...Object.fromEntries(PEOPLE_FIELDS.map((field) => [PEOPLE[field], field])),
  },
  select: (accountId) => selectEvery(teamRecords, accountId),
  show,
  parametersOf,
  create: validated(CreateTeam, createTeam),
  update: validated(UpdateTeam, (context, id, body) => updateTeam(context, byId(id), body)),
});

function show(team: Team, keyOf: KeyOf): Entry {
  const people = (field: PeopleField) =>
    team[PEOPLE[field]].flatMap((id) => keyOf("account_user", id) ?? []);
  const { schedule_id: scheduleId, escalation_policy_id: policyId } = team;
  const { name, notes, ...others } = pick(team, PLAIN);
  return {
    ...{ name, notes },
    // A team without one is exported without the field: no request can take it away again.
    ...(scheduleId !== null && { schedule: keyOf("schedule", scheduleId) }),
    ...(policyId !== null && { escalation_policy: keyOf("escalation_policy", policyId) }),
    ...Object.fromEntries(PEOPLE_FIELDS.map((field) => [field, people(field)])),
    ...others,
  };
}

function parametersOf(entry: Entry, find: Finder, place: string): Parameters {
  const { schedule, escalation_policy: policy } = entry;
  const people = PEOPLE_FIELDS.filter((field) => entry[field] !== undefined).map((field) => {
    const ids = find.idsOf("account_user", entry[field], `${place}.${field}`);
    return [PEOPLE[field], ids] as const;
  });
  return {
    ...pick(entry, PLAIN),
    ...(schedule !== undefined && {
      schedule_id: find.idOf("schedule", schedule, `${place}.schedule`),
    }),
    ...(policy !== undefined && {
      escalation_policy_id: find.idOf("escalation_policy", policy, `${place}.escalation_policy`),
    }),
    ...Object.fromEntries(people),
  };
}
