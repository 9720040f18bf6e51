// Routers: rules that decide where an alert goes, with a dry run beside the form.
import type { Integration } from "../../../contract/integrations/integration.ts";
import type { Router } from "../../../contract/routing/router.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import type { Api } from "../../api-client.ts";
import type { ConsolePage } from "../../page.ts";
import { DryRun } from "../../parts/routing/dry-run.tsx";
import { RulesEditor } from "../../parts/routing/rules-editor.tsx";
import { CheckField, SelectField, TextField } from "../../parts/shared/form.tsx";
import { choicesOf } from "../../parts/shared/pick-many.tsx";
import { dryRun } from "../../routing/dry-run.ts";
import { allOf } from "../../shared/api.ts";
import { type Names, readNames } from "../../shared/names.ts";
import {
  isAdmin,
  resourcePages,
  type Shown,
  teamFirst,
  type Values,
} from "../../shared/resource-pages.tsx";
import { fieldText, isTicked } from "../../shared/values.ts";

type Around = {
  readonly names: Names;
  readonly routers: readonly Router[];
  readonly integrations: readonly Integration[];
};

async function read(api: Api): Promise<Around | Refusal> {
  const found = await allOf(
    readNames(api, ["/routers"]),
    api.every("/routers"),
    api.every("/integrations"),
  );
  if (isRefusal(found)) return found;
  const [names, routers, integrations] = found;
  return { names, routers, integrations };
}

const TYPES = ["team", "account_user", "router"] as const;
const parameterOf = (type: (typeof TYPES)[number]) => `default_receiver_${type}_id`;

/** `team 01K…`: the default receiver as the value of one field. */
function receiverOf(values: Values): string {
  const sent = fieldText(values, "receiver");
  if (sent !== "") return sent;
  const type = TYPES.find((it) => fieldText(values, parameterOf(it)) !== "");
  return type ? `${type} ${fieldText(values, parameterOf(type))}` : "";
}

const receivers = ({ names, routers }: Around, own: Router | null) => [
  { value: "", label: "Choose a receiver" },
  ...names.teams.map(({ id, name }) => ({ value: `team ${id}`, label: `Team ${name}` })),
  ...names.people.map(({ id, user }) => ({ value: `account_user ${id}`, label: user.name })),
  ...routers
    .filter(({ id }) => id !== own?.id)
    .map(({ id, name }) => ({ value: `router ${id}`, label: `Router ${name}` })),
];

const EXAMPLE = `rules:
  - match: { alert.urgency: critical }
    actions:
      - { type: assign, receiver: ID_OF_A_TEAM }
`;

const Fields = ({ values, refusal, around, record }: Shown<Router, Around>) => (
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
      label="Enabled"
      checked={isTicked(values, "enabled")}
      help="If disabled, all alerts go to the default receiver."
    />
    <SelectField
      name="receiver"
      parameter="default_receiver_team_id"
      label="Default receiver"
      choices={receivers(around, record)}
      value={receiverOf(values)}
      refusal={refusal}
    />
    <RulesEditor
      value={fieldText(values, "rules")}
      refusal={refusal}
      help="Rules are evaluated from the top. The first match decides."
    />
    <details>
      <summary>IDs for use in rules</summary>
      <ul class="ids">
        {[...around.names.teams, ...around.routers].map(({ name, prefix_id }) => (
          <li>
            <code>{prefix_id}</code> {name}
          </li>
        ))}
        {around.names.people.map(({ prefix_id, user }) => (
          <li>
            <code>{prefix_id}</code> {user.name}
          </li>
        ))}
      </ul>
    </details>
  </>
);

/** The chosen default receiver; the other kinds are cleared. */
function defaultOf(form: Values) {
  const [type = "", id = ""] = fieldText(form, "receiver").split(" ");
  return Object.fromEntries(TYPES.map((it) => [parameterOf(it), it === type ? id : null]));
}

export const routersPages: readonly ConsolePage[] = resourcePages<Router, Around>({
  path: "/routers",
  calls: {
    list: (api) => api.every("/routers"),
    read: (api, id) => api.get("/routers/:id", { id }),
    create: (api, body) => api.post("/routers", body),
    update: (api, id, body) => api.put("/routers/:id", { ...body, id }),
    remove: (api, id) => api.delete("/routers/:id", { id }),
  },
  title: "Routers",
  one: "router",
  lead: "Rules that decide where an alert goes.",
  read,
  columns: ({ names }) => [
    { title: "Status", cell: (it) => (it.enabled ? "enabled" : "disabled") },
    {
      title: "Default receiver",
      cell: (it) =>
        names.of(
          it.default_receiver_team_id ??
            it.default_receiver_account_user_id ??
            it.default_receiver_router_id,
        ),
    },
  ],
  empty: "Without a router, an integration's alerts go directly to its teams.",
  before: teamFirst,
  fields: Fields,
  parameters: ["name", "rules", "default_receiver_team_id"],
  bodyOf: (form) => ({
    name: fieldText(form, "name"),
    enabled: isTicked(form, "enabled"),
    rules: fieldText(form, "rules").replaceAll("\r\n", "\n"),
    ...defaultOf(form),
  }),
  blank: () => ({ enabled: true, rules: EXAMPLE }),
  attempt: (visit, record, body) =>
    dryRun(
      visit,
      "router",
      body && { ...body, name: body.name || undefined, ...(record && { id: record.id }) },
      { destination_router_ids: record ? [record.id] : [] },
    ),
  beside: ({ visit, record, around, attempt }) => (
    <DryRun
      to={`/routers/${record?.prefix_id ?? "new"}`}
      visit={visit}
      help="Applies the rules as written here, saved or not."
      integrations={isAdmin(visit) ? choicesOf(around.integrations) : []}
      attempt={attempt}
    />
  ),
  deleting: "Delete this router?",
});
