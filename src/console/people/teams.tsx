// Teams: members and admins, schedule and escalation policy, and who is notified of drops,
// handoffs and gaps.

import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import type { Team as TeamRecord } from "../../features/oncall/teams/contract.ts";
import { CreateTeam } from "../../features/oncall/teams/parameters.ts";
import { type DeclaredForm, declareForm } from "../../kernel/console/declared-form.ts";
import { CheckField } from "../../kernel/console/form.tsx";
import { Facts, Notice, Panel } from "../../kernel/console/panel.tsx";
import { isTicked } from "../../kernel/console/values.ts";
import { mayAssign } from "../access/reach.ts";
import { allByName, allOf, type ReadBy } from "../api.ts";
import type { Api } from "../api-client.ts";
import { choicesOf, peopleChoices } from "../choices.ts";
import { readNames } from "../names.ts";
import type { ConsolePage } from "../page.ts";
import type { ShownForm } from "../record-pages.tsx";
import { isAdmin, resourcePages } from "../resource-pages.tsx";
import { Everybody } from "./person-panels.tsx";

const read = (api: Api) =>
  allByName({
    names: readNames(api),
    schedules: api.every("/schedules"),
    policies: api.every("/escalation_policies"),
  });
type TeamFormData = ReadBy<typeof read>;

/** A team; the ids of who is in its schedule are read of one team, not of a list. */
type Team = TeamRecord & { readonly scheduled?: readonly string[] };

async function readTeam(api: Api, id: string): Promise<Team | Refusal> {
  const read = await allOf(
    api.get("/teams/:id", { id }),
    api.every("/teams/:id/scheduled_account_users", { id }),
  );
  if (isRefusal(read)) return read;
  const [team, scheduled] = read;
  return { ...team, scheduled: scheduled.map((person) => person.id) };
}
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

/** The people of the team, and those of its schedule. */
function peopleOf(team: Team | null) {
  const { member_account_user_ids: members = [], admin_account_user_ids: admins = [] } = team ?? {};
  const people = new Set([...members, ...admins]);
  const scheduled = team?.scheduled ?? [];
  return {
    scheduledMembers: scheduled.filter((id) => people.has(id)),
    others: scheduled.filter((id) => !people.has(id)),
  };
}

/** Only people with shifts in the schedule leave it. */
const LeaveSchedule = ({ record, values }: ShownTeam) =>
  peopleOf(record).scheduledMembers.length > 0 ? (
    <CheckField
      name="leave_schedule"
      label="Who leaves the team also leaves the rotations of its schedule"
      help="At the next handoff, unless another of their teams uses the schedule. Otherwise they stay in the rotations."
      checked={isTicked(values, "leave_schedule")}
    />
  ) : null;

/** People in the team's schedule who are not in the team: former members, or helpers. */
const OthersInSchedule = ({ record, around }: ShownTeam) => {
  const { others } = peopleOf(record);
  const schedule = around.schedules.find(({ id }) => id === record?.schedule_id);
  return others.length === 0 || !schedule ? null : (
    <Notice tone="neutral" title="Not in the team, but in its schedule.">
      <Everybody names={around.names} ids={others} /> have shifts in{" "}
      <a href={`/schedules/${schedule.prefix_id}`}>{schedule.name}</a>.
    </Notice>
  );
};

type Linked = { readonly prefix_id: string; readonly name: string };

const linkTo = (path: string, found: Linked | undefined) =>
  found && <a href={`${path}/${found.prefix_id}`}>{found.name}</a>;

/** Where the team's shifts and its layers are changed. */
const Links = ({ record, around }: ShownTeam) => {
  const schedule = around.schedules.find(({ id }) => id === record?.schedule_id);
  const policy = around.policies.find(({ id }) => id === record?.escalation_policy_id);
  if (!schedule && !policy) return null;
  return (
    <Panel>
      <Facts
        facts={[
          ["Schedule", linkTo("/schedules", schedule)],
          ["Escalation policy", linkTo("/escalation_policies", policy)],
        ]}
      />
    </Panel>
  );
};

const Above = (shown: ShownTeam) => (
  <>
    <Links {...shown} />
    <OthersInSchedule {...shown} />
  </>
);

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
    legend: "Notifications of dropped alerts",
    fields: notificationFields("drop", "team_admins"),
  },
  {
    legend: "Notifications of on-call handoffs",
    fields: notificationFields("handoff", "none"),
  },
  {
    legend: "Notifications of gaps in the next 14 days",
    fields: notificationFields("gap", "team_admins"),
  },
  { name: "notes", label: "Notes" },
]);

export const teamsPages: readonly ConsolePage[] = resourcePages<Team, TeamFormData>({
  path: "/teams",
  calls: (api) => ({ ...api.records("/teams"), read: (id) => readTeam(api, id) }),
  title: "Teams",
  one: "team",
  lead: "A team has members, a schedule and an escalation policy.",
  read,
  columns: ({ names, schedules, policies }) => [
    {
      title: "Members",
      kind: "number",
      cell: (it) => it.member_account_user_ids.length,
      by: (it) => it.member_account_user_ids.length,
    },
    {
      title: "Team admins",
      cell: (it) => it.admin_account_user_ids.map(names.of).join(", "),
      by: (it) => it.admin_account_user_ids.map(names.of).join(", "),
    },
    {
      title: "Schedule",
      cell: (it) => {
        const schedule = schedules.find(({ id }) => id === it.schedule_id);
        return linkTo("/schedules", schedule) ?? "none";
      },
      by: (it) => schedules.find(({ id }) => id === it.schedule_id)?.name ?? "",
    },
    {
      title: "Escalation policy",
      cell: (it) => {
        const policy = policies.find(({ id }) => id === it.escalation_policy_id);
        return linkTo("/escalation_policies", policy) ?? "none";
      },
      by: (it) => policies.find(({ id }) => id === it.escalation_policy_id)?.name ?? "",
    },
  ],
  empty:
    "Invite people first, then create a team. A new team gets a schedule and an escalation policy.",
  form: FORM,
  above: Above,
  blank: ({ session }) => ({
    member_account_user_ids: [session.actor.accountUserId],
    admin_account_user_ids: [session.actor.accountUserId],
  }),
  mayChange: (visit, team) =>
    isAdmin(visit) ||
    (team?.admin_account_user_ids.includes(visit.session.actor.accountUserId) ?? false),
  deleting: "Delete this team? Its schedule and its escalation policy are kept.",
});
