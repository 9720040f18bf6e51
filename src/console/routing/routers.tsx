// Routers: rules that decide where an alert goes, with a dry run beside the form.
import { counted } from "../../domain/shared/counted.ts";
import type { Router } from "../../features/routing/routers/contract.ts";
import { CreateRouter } from "../../features/routing/routers/parameters.ts";
import { type DeclaredForm, declareForm } from "../../kernel/console/declared-form.ts";
import { SelectField } from "../../kernel/console/form.tsx";
import { fieldText, textOf, type Values } from "../../kernel/console/values.ts";
import type { Api } from "../api-client.ts";
import { choicesOf } from "../choices.ts";
import type { ConsolePage } from "../page.ts";
import { allByName, type ReadBy, readNames } from "../reads.ts";
import type { ShownForm } from "../record-pages.tsx";
import { isAdmin, resourcePages, teamFirst } from "../resource-pages.tsx";
import { builderData, namedPeople, readRecentEvents } from "./builder-data.ts";
import { dryRun, replay } from "./dry-run.ts";
import { DryRun } from "./dry-run-panel.tsx";
import { rulesField } from "./rules-editor.tsx";

const read = (api: Api, isForm: boolean) =>
  allByName({
    names: readNames(api, ["/routers"]),
    routers: api.every("/routers"),
    integrations: api.every("/integrations"),
    recent: readRecentEvents(api, isForm),
  });
type RouterFormData = ReadBy<typeof read>;

const TYPES = ["team", "account_user", "router"] as const;
const parameterOf = (type: (typeof TYPES)[number]) => `default_receiver_${type}_id` as const;

/** `team 01K…`: the default receiver as the value of one field. */
function receiverOf(values: Values): string {
  const sent = fieldText(values, "receiver");
  if (sent !== "") return sent;
  const type = TYPES.find((it) => fieldText(values, parameterOf(it)) !== "");
  return type ? `${type} ${fieldText(values, parameterOf(type))}` : "";
}

const receivers = ({ names, routers }: RouterFormData, own: Router | null) => [
  { value: "", label: "Choose whom they go to" },
  ...names.teams.map(({ id, name }) => ({ value: `team ${id}`, label: `Team ${name}` })),
  ...names.people.map(({ id, user }) => ({ value: `account_user ${id}`, label: user.name })),
  ...routers
    .filter(({ id }) => id !== own?.id)
    .map(({ id, name }) => ({ value: `router ${id}`, label: `Router ${name}` })),
];

/** A rule that works as it is, with the first team. */
const exampleOf = ({ names: { teams } }: RouterFormData) => `rules:
  - match: { alert.urgency: critical }
    actions:
      - { type: assign, receiver: ${teams[0]?.prefix_id ?? "ID"} }
`;

const Receiver = (of: ShownForm<Router, RouterFormData>) => (
  <SelectField
    {...{ of, name: "receiver", label: "Otherwise goes to", source: "receivers" }}
    parameter="default_receiver_team_id"
    choices={receivers(of.around, of.record)}
    value={receiverOf(of.values)}
    except={of.record?.id}
  />
);

const MOST_IDS = 20;

const Ids = ({ around }: ShownForm<Router, RouterFormData>) => (
  <details>
    <summary>IDs for use in rules</summary>
    <ul class="ids">
      {[...around.names.teams, ...around.routers].map(({ name, prefix_id }) => (
        <li>
          <code>{prefix_id}</code> {name}
        </li>
      ))}
      {around.names.people.slice(0, MOST_IDS).map(({ prefix_id, user }) => (
        <li>
          <code>{prefix_id}</code> {user.name}
        </li>
      ))}
    </ul>
    {around.names.people.length > MOST_IDS ? (
      <p class="help">
        {counted(around.names.people.length - MOST_IDS, "more person", "more people")}: the builder
        above inserts them by name.
      </p>
    ) : null}
  </details>
);

/** The chosen default receiver; the other kinds are cleared. */
function defaultOf(form: Values) {
  const [type = "", id = ""] = fieldText(form, "receiver").split(" ");
  return Object.fromEntries(TYPES.map((it) => [parameterOf(it), it === type ? id : null]));
}

const FORM: DeclaredForm<ShownForm<Router, RouterFormData>> = declareForm(CreateRouter, [
  { name: "name", label: "Name" },
  { name: "enabled", label: "Enabled", help: "If disabled, no rule is evaluated." },
  { draw: Receiver, parameters: ["default_receiver_team_id"], body: defaultOf },
  rulesField(
    "Rules are evaluated from the top. The first match decides.",
    ({ around, record, visit }: ShownForm<Router, RouterFormData>) => {
      const routers = around.routers.filter(({ id }) => id !== record?.id);
      return builderData("router", { ...around, routers }, visit.session.timeZone);
    },
  ),
  { draw: Ids },
]);

const defaultReceiverOf = (it: Router) =>
  it.default_receiver_team_id ??
  it.default_receiver_account_user_id ??
  it.default_receiver_router_id;

export const routersPages: readonly ConsolePage[] = resourcePages<Router, RouterFormData>({
  path: "/routers",
  calls: (api) => api.records("/routers"),
  title: "Routers",
  one: "router",
  lead: "Rules that decide where an alert goes.",
  read,
  columns: ({ names }) => [
    { title: "Status", by: (it) => (it.enabled ? "enabled" : "disabled") },
    { title: "Otherwise goes to", by: (it) => names.of(defaultReceiverOf(it)) },
  ],
  empty: "Without a router, an integration's alerts go directly to its teams.",
  before: teamFirst,
  form: FORM,
  blank: (_, around) => ({ enabled: true, rules: exampleOf(around) }),
  attempt: (visit, record, body) => {
    const router = body && {
      ...{ ...body, name: body.name || undefined },
      ...(record && { id: record.id }),
    };
    if (router && textOf(visit.form, "replay") !== "") return replay(visit, router);
    const destinations = { destination_router_ids: record ? [record.id] : [] };
    return dryRun(visit, "router", router, destinations);
  },
  beside: ({ visit, record, around, attempt }) => (
    <DryRun
      to={`/routers/${record?.prefix_id ?? "new"}`}
      visit={visit}
      help="Applies the rules as written here, saved or not."
      integrations={isAdmin(visit) ? choicesOf(around.integrations) : []}
      attempt={attempt}
      names={[...namedPeople(around.names), ...around.names.teams, ...around.routers]}
      replays={isAdmin(visit)}
    />
  ),
  deleting: "Delete this router?",
});
