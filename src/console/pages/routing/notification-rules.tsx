// Notification rules: on which channels and when people are notified, with a dry run beside the
// form.
import type { NotificationRule } from "../../../contract/routing/notification-rule.ts";
import { CreateNotificationRule } from "../../../contract/routing/notification-rule-parameters.ts";
import type { Api } from "../../api-client.ts";
import { choicesOf, peopleChoices } from "../../forms/choices.ts";
import { type DeclaredForm, declareForm } from "../../forms/declared-form.ts";
import type { ConsolePage } from "../../page.ts";
import { DryRun } from "../../parts/routing/dry-run.tsx";
import { rulesField } from "../../parts/routing/rules-editor.tsx";
import { builderData, namedPeople, readRecentEvents } from "../../routing/builder-data.ts";
import { dryRun } from "../../routing/dry-run.ts";
import { allByName, type ReadBy } from "../../shared/api.ts";
import { type Names, readNames } from "../../shared/names.ts";
import { isAdmin, resourcePages, type Shown } from "../../shared/resource-pages.tsx";
import { textOf } from "../../shared/values.ts";

const read = (api: Api, isForm: boolean) =>
  allByName({
    names: readNames(api),
    integrations: api.every("/integrations"),
    recent: readRecentEvents(api, isForm),
  });
type Around = ReadBy<typeof read>;

const usersOf = (names: Names, rule: NotificationRule) =>
  names.people.filter(({ notification_rule_id }) => notification_rule_id === rule.id);

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

const EXAMPLE = `rules:
  - match: { always: true }
    actions:
      - { type: notify, channels: [push], timeout: 1m }
      - { type: notify, channels: [sms] }
`;

const FORM: DeclaredForm<Shown<NotificationRule, Around>> = declareForm(CreateNotificationRule, [
  { name: "name", label: "Name" },
  {
    name: "enabled",
    label: "Enabled",
    help: "If disabled, its users are notified on the channels in their own settings.",
  },
  rulesField(
    "Rules are evaluated from the top. The first match decides the channels and their order.",
    ({ around, visit }: Shown<NotificationRule, Around>) =>
      builderData("notification_rule", around, visit.session.timeZone),
  ),
]);

/** The people of a dry run: those who use the rule first; with an unsaved rule, anyone. */
function peopleFor({ names }: Around, rule: NotificationRule | null, mayEdit: boolean) {
  const own = rule ? usersOf(names, rule) : [];
  const others = mayEdit ? names.people.filter((person) => !own.includes(person)) : [];
  return peopleChoices({ people: [...own, ...others] });
}

export const notificationRulesPages: readonly ConsolePage[] = resourcePages<
  NotificationRule,
  Around
>({
  path: "/notification_rules",
  calls: (api) => api.records("/notification_rules"),
  title: "Notification rules",
  one: "notification rule",
  lead: "Decide when and on which channels people are notified. Without a rule, a person's own settings apply.",
  read,
  columns: ({ names }) => [
    {
      title: "Status",
      cell: (it) => (it.enabled ? "enabled" : "disabled"),
      by: (it) => (it.enabled ? "enabled" : "disabled"),
    },
    {
      title: "Used by",
      cell: (it) => <UsedBy names={names} rule={it} />,
      by: (it) => usersOf(names, it).length,
    },
  ],
  empty:
    "Without a rule, people are notified on the channels in their own settings. A rule can, for example, limit phone calls to critical alerts or hold notifications at night.",
  form: FORM,
  blank: () => ({ enabled: true, rules: EXAMPLE }),
  attempt: (visit, _record, body) =>
    dryRun(visit, "notification_rule", body && { ...body, name: body.name || undefined }, {
      destination_account_user_ids: [textOf(visit.form, "person")],
    }),
  beside: ({ visit, record, around, attempt }) => {
    const people = peopleFor(around, record, isAdmin(visit));
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
