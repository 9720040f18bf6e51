// Teams: members and admins, schedule and escalation policy, and who is notified of drops and
// handoffs.

import type { Schedule } from "../../../contract/oncall/schedule.ts";
import type { Team } from "../../../contract/people/team.ts";
import type { EscalationPolicy } from "../../../contract/routing/escalation-policy.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import { mayAssign } from "../../access/reach.ts";
import type { Api } from "../../api-client.ts";
import type { ConsolePage } from "../../page.ts";
import { SelectField, TextArea, TextField } from "../../parts/shared/form.tsx";
import { PickMany } from "../../parts/shared/pick-many.tsx";
import { allOf } from "../../shared/api.ts";
import { type Names, readNames } from "../../shared/names.ts";
import { isAdmin, resourcePages, type Shown } from "../../shared/resource-pages.tsx";
import { fieldText, listOf } from "../../shared/values.ts";

type Around = {
  readonly names: Names;
  readonly schedules: readonly Schedule[];
  readonly policies: readonly EscalationPolicy[];
};

async function read(api: Api): Promise<Around | Refusal> {
  const found = await allOf(
    readNames(api),
    api.every("/schedules"),
    api.every("/escalation_policies"),
  );
  if (isRefusal(found)) return found;
  const [names, schedules, policies] = found;
  return { names, schedules, policies };
}

const AUDIENCES = [
  { value: "none", label: "nobody" },
  { value: "team_all", label: "the whole team" },
  { value: "team_admins", label: "the team admins" },
  { value: "oncall_rotation", label: "the people on call" },
  { value: "specific_users", label: "specific people" },
];

const PEOPLE = [
  { name: "member_account_user_ids", label: "Members" },
  {
    name: "admin_account_user_ids",
    label: "Team admins",
    help: "Can change the team, its schedule and its escalation policy.",
  },
] as const;

const NOTIFICATIONS = [
  { name: "drop", label: "Notifications of dropped alerts", otherwise: "team_admins" },
  { name: "handoff", label: "Notifications of on-call handoffs", otherwise: "none" },
] as const;

const Fields = ({ visit, values, refusal, around, record }: Shown<Team, Around>) => {
  const people = around.names.people.map(({ id, user }) => ({ value: id, label: user.name }));
  /** The team's current choice, and what the viewer may assign. */
  const choices = (
    what: "schedule_id" | "escalation_policy_id",
    list: readonly { readonly id: string; readonly name: string }[],
  ) => [
    ...(record ? [] : [{ value: "", label: "create a new one" }]),
    ...list
      .filter(({ id }) => record?.[what] === id || mayAssign(visit, around.names, what, id))
      .map(({ id, name }) => ({ value: id, label: name })),
  ];
  const help = isAdmin(visit) ? null : "Lists only those that you can assign.";
  return (
    <>
      <TextField
        name="name"
        label="Name"
        value={fieldText(values, "name")}
        refusal={refusal}
        required
      />
      {PEOPLE.map((it) => (
        <PickMany {...it} choices={people} chosen={listOf(values, it.name)} refusal={refusal} />
      ))}
      <div class="side-by-side">
        <SelectField
          name="schedule_id"
          label="Schedule"
          choices={choices("schedule_id", around.schedules)}
          value={fieldText(values, "schedule_id")}
          refusal={refusal}
          help={help}
        />
        <SelectField
          name="escalation_policy_id"
          label="Escalation policy"
          choices={choices("escalation_policy_id", around.policies)}
          value={fieldText(values, "escalation_policy_id")}
          refusal={refusal}
          help={help}
        />
      </div>
      {NOTIFICATIONS.map(({ name, label, otherwise }) => (
        <fieldset class="group">
          <legend>{label}</legend>
          <SelectField
            name={`${name}_notifications`}
            label="Recipients"
            choices={AUDIENCES}
            value={fieldText(values, `${name}_notifications`) || otherwise}
            refusal={refusal}
          />
          <PickMany
            name={`${name}_notification_account_user_ids`}
            label="Specific people"
            choices={people}
            chosen={listOf(values, `${name}_notification_account_user_ids`)}
            refusal={refusal}
          />
        </fieldset>
      ))}
      <TextArea name="notes" label="Notes" value={fieldText(values, "notes")} refusal={refusal} />
    </>
  );
};

const TEXTS = [
  "name",
  "notes",
  "schedule_id",
  "escalation_policy_id",
  "drop_notifications",
  "handoff_notifications",
];
const LISTS = [
  "member_account_user_ids",
  "admin_account_user_ids",
  "drop_notification_account_user_ids",
  "handoff_notification_account_user_ids",
];

export const teamsPages: readonly ConsolePage[] = resourcePages<Team, Around>({
  path: "/teams",
  calls: {
    list: (api) => api.every("/teams"),
    read: (api, id) => api.get("/teams/:id", { id }),
    create: (api, body) => api.post("/teams", body),
    update: (api, id, body) => api.put("/teams/:id", { ...body, id }),
    remove: (api, id) => api.delete("/teams/:id", { id }),
  },
  title: "Teams",
  one: "team",
  lead: "A team has members, a schedule and an escalation policy.",
  read,
  columns: ({ names, schedules, policies }) => [
    { title: "Members", kind: "number", cell: (it) => it.member_account_user_ids.length },
    {
      title: "Team admins",
      cell: (it) => it.admin_account_user_ids.map(names.of).join(", "),
    },
    {
      title: "Schedule",
      cell: (it) => {
        const schedule = schedules.find(({ id }) => id === it.schedule_id);
        return schedule ? <a href={`/schedules/${schedule.prefix_id}`}>{schedule.name}</a> : "none";
      },
    },
    {
      title: "Escalation policy",
      cell: (it) => {
        const policy = policies.find(({ id }) => id === it.escalation_policy_id);
        if (!policy) return "none";
        return <a href={`/escalation_policies/${policy.prefix_id}`}>{policy.name}</a>;
      },
    },
  ],
  empty:
    "Invite people first, then create a team. A new team gets a schedule and an escalation policy.",
  fields: Fields,
  parameters: [...TEXTS, ...LISTS],
  bodyOf: (form) => ({
    ...Object.fromEntries(TEXTS.map((name) => [name, fieldText(form, name)])),
    ...Object.fromEntries(LISTS.map((name) => [name, listOf(form, name)])),
  }),
  blank: ({ session }) => ({
    member_account_user_ids: [session.actor.accountUserId],
    admin_account_user_ids: [session.actor.accountUserId],
  }),
  mayChange: (visit, team) =>
    isAdmin(visit) ||
    (team?.admin_account_user_ids.includes(visit.session.actor.accountUserId) ?? false),
  deleting: "Delete this team? Its schedule and its escalation policy are kept.",
});
