// Notification rules: on which channels people are told, after how long, and when not; tried beside.
import type { Integration } from "../../contract/integrations/integration.ts";
import type { NotificationRule } from "../../contract/routing/notification-rule.ts";
import { isRefusal, type Refusal } from "../../domain/refusal.ts";
import { type Api, allOf } from "../api.ts";
import { dryRun } from "../dry-run.ts";
import { type Names, readNames } from "../names.ts";
import { type ConsolePage, textOf } from "../page.ts";
import { DryRun } from "../parts/dry-run.tsx";
import { CheckField, TextField } from "../parts/form.tsx";
import { choicesOf } from "../parts/pick-many.tsx";
import { RulesEditor } from "../parts/rules-editor.tsx";
import { isAdmin, resourcePages, type Shown } from "../resource-pages.tsx";
import { fieldText, isTicked } from "../values.ts";

type Around = { readonly names: Names; readonly integrations: readonly Integration[] };

async function read(api: Api): Promise<Around | Refusal> {
  const found = await allOf(readNames(api), api.every("/integrations"));
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

/** Whom it may be tried for: those who chose it first; with what is only written, anybody. */
function peopleFor({ names }: Around, rule: NotificationRule | null, isOurs: boolean) {
  const own = rule ? usersOf(names, rule) : [];
  const others = isOurs ? names.people.filter((person) => !own.includes(person)) : [];
  return [...own, ...others].map(({ id, user }) => ({ value: id, label: user.name }));
}

export const notificationRulesPages: readonly ConsolePage[] = resourcePages<
  NotificationRule,
  Around
>({
  path: "/notification_rules",
  calls: {
    list: (api) => api.every("/notification_rules"),
    read: (api, id) => api.get("/notification_rules/:id", { id }),
    create: (api, body) => api.post("/notification_rules", body),
    update: (api, id, body) => api.put("/notification_rules/:id", { ...body, id }),
    remove: (api, id) => api.delete("/notification_rules/:id", { id }),
  },
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
  attempt: (visit, _record, body) =>
    dryRun(visit, "notification_rule", body && { ...body, name: body.name || undefined }, {
      destination_account_user_ids: [textOf(visit.form, "person")],
    }),
  beside: ({ visit, record, around, attempt }) => {
    const people = peopleFor(around, record, isAdmin(visit));
    return people.length === 0 ? (
      <p class="help">Nobody has chosen this rule: once somebody has, it can be tried.</p>
    ) : (
      <DryRun
        to={`/notification_rules/${record?.prefix_id ?? "new"}`}
        visit={visit}
        help="As if they had chosen the rule as it is written here, kept or not."
        integrations={isAdmin(visit) ? choicesOf(around.integrations) : []}
        people={people}
        attempt={attempt}
      />
    );
  },
  deleting: "Delete this rule? Those who chose it are told on their own channels then.",
});
