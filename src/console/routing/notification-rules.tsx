// Notification rules: on which channels and when people are notified, with a dry run beside the
// form.
import { writeSteps } from "../../domain/routing/builder/notification-steps.ts";
import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import { MINUTE } from "../../domain/shared/time.ts";
import type { AccountUser } from "../../features/people/account-users/contract.ts";
import type { NotificationRule } from "../../features/routing/notification-rules/contract.ts";
import { CreateNotificationRule } from "../../features/routing/notification-rules/parameters.ts";
import { type DeclaredForm, declareForm } from "../../kernel/console/declared-form.ts";
import { SelectField } from "../../kernel/console/form.tsx";
import { done, notDone, type Reply } from "../../kernel/console/reply.ts";
import { fieldText, textOf } from "../../kernel/console/values.ts";
import type { Api } from "../api-client.ts";
import { choicesOf, peopleChoices } from "../choices.ts";
import type { ConsolePage, Visit } from "../page.ts";
import { allByName, type Names, type ReadBy, readNames } from "../reads.ts";
import type { ShownForm } from "../record-pages.tsx";
import { isAdmin, resourcePages } from "../resource-pages.tsx";
import { builderData, namedPeople, readRecentEvents } from "./builder-data.ts";
import { dryRun } from "./dry-run.ts";
import { DryRun } from "./dry-run-panel.tsx";
import { NotificationSteps, rulesOf, stepsOf } from "./notification-steps.tsx";
import { RulesEditor } from "./rules-editor.tsx";

const read = (api: Api, isForm: boolean) =>
  allByName({
    names: readNames(api),
    integrations: api.every("/integrations"),
    recent: readRecentEvents(api, isForm),
    reach: isForm ? api.every("/readiness/people") : [],
  });
type RuleFormData = ReadBy<typeof read>;

const usersOf = (names: Names, rule: NotificationRule) =>
  names.people.filter(({ notification_rule_id }) => notification_rule_id === rule.id);

/** The channels on which those can be notified who use a rule, or may: of one's own rule its owner. */
function channelsOf(
  { reach }: RuleFormData,
  record: NotificationRule | null,
  visit: Visit,
): readonly string[] {
  const owner = record
    ? record.account_user_id
    : isAdmin(visit)
      ? null
      : visit.session.actor.accountUserId;
  const people = reach.filter(({ id }) => owner === null || id === owner);
  return [...new Set(people.flatMap(({ channels }) => channels))];
}

const NAMED = 5;

/** The people who use a rule: the first few, and how many more. */
const UsedBy = ({ names, rule }: { readonly names: Names; readonly rule: NotificationRule }) => {
  const users = usersOf(names, rule).map(({ user }) => user.name);
  if (users.length === 0) return <>nobody</>;
  const further = users.length - NAMED;
  return (
    <>
      {users.slice(0, NAMED).join(", ")}
      {further > 0 ? ` and ${further} more` : null}
    </>
  );
};

/** The channels in the order in which a new rule uses them: those that wake people come later. */
const ORDER = ["push", "email", "sms", "voice"];

function exampleOf(channels: readonly string[]): string {
  const [first = "push", second] = ORDER.filter((channel) => channels.includes(channel));
  const steps = [first, ...(second ? [second] : [])];
  return writeSteps(steps.map((channel, at) => ({ after: at * MINUTE, channel })));
}

const isOwn = ({ session }: Visit, { account_user_id }: NotificationRule) =>
  account_user_id === session.actor.accountUserId;

const mayChange = (visit: Visit, record: NotificationRule | null) =>
  record === null || isAdmin(visit) || isOwn(visit, record);

/** Whose a new rule is; only admins make rules for others. */
const Owner = (of: ShownForm<NotificationRule, RuleFormData>) => {
  const { record, visit } = of;
  const { accountUserId } = visit.session.actor;
  if (record !== null) return null;
  return isAdmin(visit) ? (
    <SelectField
      {...{ of, name: "account_user_id", label: "For" }}
      choices={[
        { value: "", label: "anybody in the account" },
        { value: accountUserId, label: "only me, from now on" },
      ]}
    />
  ) : (
    <>
      <p class="help">A rule of your own: it decides how you are notified once you save it.</p>
      <input type="hidden" name="account_user_id" value={accountUserId} />
    </>
  );
};

const isFaulty = (refusal: Refusal | null) =>
  refusal?.errors?.some(({ field }) => field === "rules") ?? false;

/** Steps, where the rules are no more than that. */
const Rules = (shown: ShownForm<NotificationRule, RuleFormData>) => {
  const { values, refusal, around, visit, record } = shown;
  const channels = channelsOf(around, record, visit);
  const steps = isFaulty(refusal) ? null : stepsOf(values);
  return steps ? (
    <NotificationSteps
      to={record ? `/notification_rules/${record.prefix_id}` : "/notification_rules"}
      {...{ steps, channels }}
      rules={fieldText(values, "rules")}
    />
  ) : (
    <RulesEditor
      value={rulesOf(values)}
      refusal={refusal}
      help="Rules are evaluated from the top. The first match decides the channels and their order."
      builder={builderData("notification_rule", { ...around, channels }, visit.session.timeZone)}
    />
  );
};

const FORM: DeclaredForm<ShownForm<NotificationRule, RuleFormData>> = declareForm(
  CreateNotificationRule,
  [
    {
      draw: Owner,
      parameters: ["account_user_id"],
      body: (form) => {
        const owner = textOf(form, "account_user_id");
        return owner === "" ? {} : { account_user_id: owner };
      },
    },
    { name: "name", label: "Name" },
    {
      name: "enabled",
      label: "Enabled",
      help: "If disabled, its users are notified on the channels in their own settings.",
    },
    { draw: Rules, parameters: ["rules"], body: (form) => ({ rules: rulesOf(form) }) },
  ],
);

/**
 * The people of a dry run: those who use the rule first; with an unsaved rule, anyone, and of a rule
 * of somebody's own its owner.
 */
function peopleFor({ names }: RuleFormData, rule: NotificationRule | null, visit: Visit) {
  const own = rule ? usersOf(names, rule) : [];
  const isOther = (person: AccountUser) =>
    isAdmin(visit) || (mayChange(visit, rule) && person.id === visit.session.actor.accountUserId);
  const others = names.people.filter((person) => !own.includes(person) && isOther(person));
  return peopleChoices({ people: [...own, ...others] });
}

/** Whoever creates a rule of their own uses it from then on. */
async function startUsing({ api, session }: Visit, rule: NotificationRule): Promise<Reply | null> {
  if (rule.account_user_id !== session.actor.accountUserId) return null;
  const used = await api.put("/account_users/:id", {
    id: session.actor.accountUserId,
    notification_rule_id: rule.id,
  });
  const to = `/notification_rules/${rule.prefix_id}`;
  return isRefusal(used)
    ? notDone(to, used)
    : done(to, "Notification rule created. It decides how you are notified from now on.");
}

export const notificationRulesPages: readonly ConsolePage[] = resourcePages<
  NotificationRule,
  RuleFormData
>({
  path: "/notification_rules",
  calls: (api) => api.records("/notification_rules"),
  title: "Notification rules",
  one: "notification rule",
  lead: "Decide when and on which channels people are notified. Without a rule, a person's own settings apply.",
  read,
  columns: ({ names }) => [
    {
      title: "For",
      cell: (it) => (it.account_user_id ? names.of(it.account_user_id) : "anybody"),
      by: (it) => (it.account_user_id ? names.of(it.account_user_id) : ""),
    },
    { title: "Status", by: (it) => (it.enabled ? "enabled" : "disabled") },
    {
      title: "Used by",
      cell: (it) => <UsedBy names={names} rule={it} />,
      by: (it) => usersOf(names, it).length,
    },
  ],
  empty:
    "Without a rule, people are notified on the channels in their own settings. A rule can, for example, limit phone calls to critical alerts or hold notifications at night.",
  form: FORM,
  blank: (visit, around) => ({
    ...{ enabled: true, rules: exampleOf(channelsOf(around, null, visit)) },
    ...(visit.query.has("mine") && { account_user_id: visit.session.actor.accountUserId }),
  }),
  mayChange,
  mayDelete: mayChange,
  afterCreate: startUsing,
  attempt: (visit, _record, body) =>
    dryRun(visit, "notification_rule", body && { ...body, name: body.name || undefined }, {
      destination_account_user_ids: [textOf(visit.form, "person")],
    }),
  beside: ({ visit, record, around, attempt }) => {
    const people = peopleFor(around, record, visit);
    return people.length === 0 ? (
      <p class="help">Nobody uses this rule yet. A dry run needs a person who uses it.</p>
    ) : (
      <DryRun
        to={`/notification_rules/${record?.prefix_id ?? "new"}`}
        visit={visit}
        help="Applies the rule as written here, saved or not."
        integrations={isAdmin(visit) ? choicesOf(around.integrations) : []}
        people={people}
        attempt={attempt}
        names={[...namedPeople(around.names), ...around.names.teams]}
      />
    );
  },
  deleting:
    "Delete this notification rule? Its users are notified on the channels in their own settings.",
});
