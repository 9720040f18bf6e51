// The settings of teams: members and admins, schedule and escalation policy, and who is notified of
// drops, handoffs and gaps.

import { isRefusal } from "../../domain/shared/refusal.ts";
import { CreateTeam } from "../../features/oncall/teams/parameters.ts";
import { type DeclaredForm, declareForm } from "../../kernel/console/declared-form.ts";
import { CheckField } from "../../kernel/console/form.tsx";
import { isTicked } from "../../kernel/console/values.ts";
import { mayAssign, peopleOf } from "../access/reach.ts";
import type { Api } from "../api-client.ts";
import { choicesOf, peopleChoices } from "../choices.ts";
import { type ConsolePage, idOf, type Visit } from "../page.ts";
import { allByName, type ReadBy, readNames } from "../reads.ts";
import { recordPages, type ShownForm } from "../record-pages.tsx";
import { isAdmin } from "../resource-pages.tsx";
import { TeamContent } from "./team.tsx";
import { readTeam, readTeamPage, type Team } from "./team-data.ts";

const read = (api: Api) =>
  allByName({
    names: readNames(api),
    schedules: api.every("/schedules"),
    policies: api.every("/escalation_policies"),
  });
type TeamFormData = ReadBy<typeof read>;

type ShownTeam = ShownForm<Team, TeamFormData>;

const AUDIENCES = {
  none: "nobody",
  team_all: "the whole team",
  team_admins: "the team admins",
  oncall_rotation: "the people on call",
  specific_users: "specific people",
};

const people = ({ around }: ShownTeam) => peopleChoices(around.names);

/** The team's current choice, and what the viewer may assign. */
const assignable =
  (name: "schedule_id" | "escalation_policy_id", list: "schedules" | "policies") =>
  ({ visit, around, record }: ShownTeam) => [
    ...(record ? [] : [{ value: "", label: "create a new one" }]),
    ...choicesOf(
      around[list].filter(
        ({ id }) => record?.[name] === id || mayAssign(visit, around.names, name, id),
      ),
    ),
  ];

const limited = ({ visit }: ShownTeam) =>
  isAdmin(visit) ? null : "Lists only those that you can assign.";

const notificationFields = (
  kind: "drop" | "handoff" | "gap",
  otherwise: keyof typeof AUDIENCES,
) => [
  {
    name: `${kind}_notifications` as const,
    label: "Recipients",
    choiceLabels: AUDIENCES,
    otherwise,
  },
  {
    name: `${kind}_notification_account_user_ids` as const,
    label: "Specific people",
    choices: people,
    source: "people" as const,
  },
];

/** Only people with shifts in the schedule leave it. */
const LeaveSchedule = (of: ShownTeam) => {
  const { record } = of;
  const people = record ? peopleOf(record) : [];
  return record?.scheduled?.some((id) => people.includes(id)) ? (
    <CheckField
      name="leave_schedule"
      label="Who leaves the team also leaves the rotations of its schedule"
      help="At the next handoff, unless another of their teams uses the schedule. Otherwise they stay in the rotations."
      of={of}
    />
  ) : null;
};

const FORM: DeclaredForm<ShownTeam> = declareForm(CreateTeam, [
  { name: "name", label: "Name" },
  { name: "member_account_user_ids", label: "Members", choices: people, source: "people" },
  {
    name: "admin_account_user_ids",
    label: "Team admins",
    help: "Can change the team, its schedule and its escalation policy.",
    choices: people,
    source: "people",
  },
  {
    draw: LeaveSchedule,
    body: (form) => (isTicked(form, "leave_schedule") ? { leave_schedule: true } : {}),
  },
  {
    fields: [
      {
        name: "schedule_id",
        label: "Schedule",
        choices: assignable("schedule_id", "schedules"),
        source: ({ visit }) => (isAdmin(visit) ? "schedules" : undefined),
        help: limited,
      },
      {
        name: "escalation_policy_id",
        label: "Escalation policy",
        choices: assignable("escalation_policy_id", "policies"),
        source: ({ visit }) => (isAdmin(visit) ? "policies" : undefined),
        help: limited,
      },
    ],
  },
  {
    legend: "Notifications of unanswered alerts, handoffs and gaps",
    folded: true,
    fields: [
      { legend: "Of unanswered alerts", fields: notificationFields("drop", "team_admins") },
      { legend: "Of on-call handoffs", fields: notificationFields("handoff", "none") },
      { legend: "Of gaps in the next 14 days", fields: notificationFields("gap", "team_admins") },
    ],
  },
  { name: "notes", label: "Notes" },
]);

const isTeamAdmin = ({ session }: Visit, team: Team | null) =>
  team?.admin_account_user_ids.includes(session.actor.accountUserId) ?? false;

export const teamsPages: readonly ConsolePage[] = recordPages<Team, TeamFormData>({
  path: "/teams",
  listedAt: { to: "/on-call", label: "On call" },
  calls: (api) => ({ ...api.records("/teams"), read: (id) => readTeam(api, id) }),
  title: "Teams",
  one: "team",
  read,
  form: FORM,
  page: async (visit) => {
    const read = await readTeamPage(visit, idOf(visit));
    if (isRefusal(read)) return read;
    return ({ record: team, around: { names, schedules, policies }, refusal }, form) => (
      <TeamContent
        {...{ visit, read }}
        records={{
          ...{ team, names },
          schedule: schedules.find(({ id }) => id === team.schedule_id) ?? null,
          policy: policies.find(({ id }) => id === team.escalation_policy_id) ?? null,
        }}
        settings={
          <details id="settings" open={refusal !== null}>
            <summary>Team settings</summary>
            {form}
          </details>
        }
      />
    );
  },
  blank: ({ session }) => ({
    member_account_user_ids: [session.actor.accountUserId],
    admin_account_user_ids: [session.actor.accountUserId],
  }),
  mayChange: (visit, team) => isAdmin(visit) || isTeamAdmin(visit, team),
  mayDelete: isAdmin,
  deleting: "Delete this team? Its schedule and its escalation policy are kept.",
});
