// Notification rules: on which channels people are told, after how long, and when not; tried beside.
import { isRefusal, type Refusal } from "../../domain/refusal.ts";
import { type Api, allOf, everyOf } from "../api.ts";
import type { Integration, NotificationRule } from "../configuration-records.ts";
import { dryRun, type Tried } from "../dry-run.ts";
import { type Names, readNames } from "../names.ts";
import { action, type ConsolePage, textOf, type Visit } from "../page.ts";
import { DryRun } from "../parts/dry-run.tsx";
import { CheckField, TextField } from "../parts/form.tsx";
import { choicesOf } from "../parts/pick-many.tsx";
import { RulesEditor } from "../parts/rules-editor.tsx";
import { isAdmin, resourcePages, type Shown } from "../resource-pages.tsx";
import { fieldText, isTicked } from "../values.ts";

type Around = { readonly names: Names; readonly integrations: readonly Integration[] };

async function read(api: Api): Promise<Around | Refusal> {
  const found = await allOf(readNames(api), everyOf<Integration>(api, "/integrations"));
  if (isRefusal(found)) return found;
  const [names, integrations] = found;
  return { names, integrations };
}

const usersOf = (names: Names, rule: NotificationRule) =>
  names.people.filter(({ notification_rule_id }) => notification_rule_id === rule.id);

const EXAMPLE = `rules:
  - match: { always: true }
    actions:
      - { type: notify, channels: [push], timeout: 1m }
      - { type: notify, channels: [sms] }
`;

const Fields = ({ values, refusal }: Shown<NotificationRule, Around>) => (
  <>
    <TextField
      name="name"
      label="Name"
      value={fieldText(values, "name")}
      refusal={refusal}
      required
    />
    <CheckField
      name="enabled"
      label="In use"
      checked={isTicked(values, "enabled")}
      help="Otherwise everybody who chose it is told on the channels that they have switched on."
    />
    <RulesEditor
      value={fieldText(values, "rules")}
      refusal={refusal}
      help="From the top; the first rule that matches says on which channels, one after the other."
    />
  </>
);

const outcomes = new WeakMap<Visit, Tried | Refusal>();

const rules = resourcePages<NotificationRule, Around>({
  path: "/notification_rules",
  title: "Notification rules",
  one: "notification rule",
  lead: "On which channels people are told, and when. Each person has one, or their own settings.",
  read,
  columns: ({ names }) => [
    { title: "State", cell: (it) => (it.enabled ? "in use" : "off") },
    {
      title: "Chosen by",
      cell: (it) =>
        usersOf(names, it)
          .map(({ user }) => user.name)
          .join(", ") || "nobody yet",
    },
  ],
  empty:
    "Without one, people are told on the channels that they have switched on for themselves. A rule says more: the phone only for what is critical, nothing at night.",
  fields: Fields,
  parameters: ["name", "rules"],
  bodyOf: (form) => ({
    name: fieldText(form, "name"),
    enabled: isTicked(form, "enabled"),
    rules: fieldText(form, "rules").replaceAll("\r\n", "\n"),
  }),
  blank: () => ({ enabled: true, rules: EXAMPLE }),
  beside: ({ visit, record, around }) => {
    if (record === null) return null;
    const own = usersOf(around.names, record);
    if (own.length === 0) {
      return <p class="help">Nobody has chosen this rule: choose it for somebody, then try it.</p>;
    }
    return (
      <DryRun
        to={`/notification_rules/${record.prefix_id}/try`}
        visit={visit}
        integrations={isAdmin(visit) ? choicesOf(around.integrations) : []}
        people={own.map(({ id, user }) => ({ value: id, label: user.name }))}
        outcome={outcomes.get(visit) ?? null}
      />
    );
  },
  deleting: "Delete this rule? Those who chose it are told on their own channels then.",
});

async function attempt(visit: Visit) {
  const { api, form } = visit;
  const destinations = { destination_account_user_ids: [textOf(form, "person")] };
  const tried = await dryRun(
    api,
    textOf(form, "payload"),
    textOf(form, "integration"),
    destinations,
  );
  outcomes.set(visit, tried);
  return rules.showOne(visit);
}

export const notificationRulesPages: readonly ConsolePage[] = [
  ...rules.pages,
  action("/notification_rules/:id/try", attempt),
];
