// Integrations: created by type, then set up with the webhook URL, a test event and the recent
// events.
import { atStandby } from "../../domain/integrations/fill-placeholders.ts";
import type {
  Integration,
  IntegrationType,
} from "../../features/integrations/integrations/contract.ts";
import { CreateIntegration } from "../../features/integrations/integrations/parameters.ts";
import { Badge } from "../../kernel/console/badge.tsx";
import { changedParameters } from "../../kernel/console/changed.ts";
import { type DeclaredForm, declareForm } from "../../kernel/console/declared-form.ts";
import {
  ActionButton,
  CheckField,
  type FormState,
  SelectField,
  TextField,
} from "../../kernel/console/form.tsx";
import { CopyField, Panel } from "../../kernel/console/panel.tsx";
import { fieldText, listOf, type Values } from "../../kernel/console/values.ts";
import type { Api } from "../api-client.ts";
import { choicesOf, peopleChoices, URGENCIES } from "../choices.ts";
import type { ConsolePage } from "../page.ts";
import { allByName, type Names, type ReadBy, readNames } from "../reads.ts";
import type { ShownForm } from "../record-pages.tsx";
import { isAdmin, resourcePages, teamFirst } from "../resource-pages.tsx";
import { ChooseType } from "./choose-type.tsx";
import {
  ACCEPTED,
  AcceptedRequests,
  acceptedOf,
  hasToken,
  IntakeKey,
  Rotations,
  rotationActions,
  SetUp,
} from "./integration-credentials.tsx";
import { logPages, NotUnderstood, requestLog } from "./integration-log.tsx";
import { acceptsEvents, optionTitle, withOptionTitles } from "./option-titles.ts";
import { replayOptions, Withheld } from "./withheld.tsx";

const read = (api: Api) =>
  allByName({
    names: readNames(api),
    routers: api.every("/routers"),
    types: api.get("/integration_types", { limit: 100, sort: "title", direction: "asc" }),
  });
type IntegrationFormData = ReadBy<typeof read>;

type Option = IntegrationType["options"][number];

/** An option's value: the submitted one, the stored one or the default. */
function optionOf(values: Values, { key, default: otherwise }: Option): unknown {
  const stored = values.options as Values | undefined;
  return values[`option_${key}`] ?? stored?.[key] ?? otherwise;
}

const OptionField = ({ option, values, refusal }: FormState & { readonly option: Option }) => {
  const value = optionOf(values, option);
  const name = `option_${option.key}`;
  if (option.type === "boolean") {
    const checked = value === true || value === "true";
    return (
      <>
        <input type="hidden" name="boxes[]" value={name} />
        <CheckField
          name={name}
          label={optionTitle(option.key)}
          help={option.help}
          checked={checked}
        />
      </>
    );
  }
  return (
    <TextField
      name={name}
      label={optionTitle(option.key)}
      type={option.type === "integer" ? "number" : option.type === "secret" ? "password" : "text"}
      autocomplete="off"
      value={value === null || value === undefined ? "" : String(value)}
      help={option.help}
      refusal={refusal}
      required={option.required}
    />
  );
};

/** The type of a form: the record's, the submitted one, or the one in the query string. */
const typeOf = ({ values, record, visit, around }: ShownForm<Integration, IntegrationFormData>) => {
  const id =
    record?.integration_type.id ??
    (fieldText(values, "integration_type_id") || visit.query.get("type") || "");
  return around.types.data.find((type) => type.id === id || type.name === id) ?? null;
};

const Type = (shown: ShownForm<Integration, IntegrationFormData>) => {
  const type = typeOf(shown);
  return type === null ? null : (
    <>
      <input type="hidden" name="integration_type_id" value={type.id} />
      <p>
        <strong>{type.title}</strong>{" "}
        <span class="soft">{withOptionTitles(type.description, type)}</span>
      </p>
    </>
  );
};

/** Shown for types that accept events: what a type sends has the urgency of its alert. */
const Urgency = (shown: ShownForm<Integration, IntegrationFormData>) => {
  const type = typeOf(shown);
  const value = fieldText(shown.values, "urgency") || "high";
  if (type !== null && !acceptsEvents(type)) {
    return <input type="hidden" name="urgency" value={value} />;
  }
  return (
    <SelectField
      name="urgency"
      label="Default urgency"
      help="Used when an event has no urgency."
      choices={URGENCIES}
      of={shown}
      otherwise="high"
      required
    />
  );
};

/** The options of a type that are of use: those that all types have concern the events that one accepts. */
function usefulOptions(type: IntegrationType | null, all: readonly IntegrationType[]) {
  if (type === null || acceptsEvents(type)) return type?.options ?? [];
  const isCommon = ({ key }: Option) =>
    all.every(({ options }) => options.some((option) => option.key === key));
  return type.options.filter((option) => !isCommon(option));
}

const isSet = (values: Values, option: Option): boolean =>
  String(optionOf(values, option) ?? "") !== String(option.default ?? "");

/** The options that a type needs, and folded those of a sender that most teams leave as they are. */
const Options = (shown: ShownForm<Integration, IntegrationFormData>) => {
  const { record, visit, around, attempt, values, refusal } = shown;
  const type = typeOf(shown);
  const receives = type !== null && acceptsEvents(type);
  const options = usefulOptions(type, around.types.data);
  const fields = (some: readonly Option[]) =>
    some.map((option) => <OptionField option={option} values={values} refusal={refusal} />);
  if (!receives) {
    return (
      <fieldset class="group">
        <legend>Options</legend>
        {fields(options)}
      </fieldset>
    );
  }
  const further = options.filter(({ required }) => !required);
  const set = further.filter((option) => isSet(values, option)).length;
  return (
    <>
      {fields(options.filter(({ required }) => required))}
      <details class="more" open={refusal !== null || attempt !== null}>
        <summary>Options{set > 0 ? ` (${set} set)` : ""}</summary>
        {fields(further)}
        {record && isAdmin(visit) ? (
          <Withheld record={record} visit={visit} attempt={attempt} />
        ) : null}
      </details>
    </>
  );
};

/** How long after its creation an integration's set-up is unfolded (ms). */
const NEW_MS = 86_400_000;

/** The set-up of the sender, for those who may see the integration's URL. */
const Address = (shown: ShownForm<Integration, IntegrationFormData>) => {
  const { visit, record } = shown;
  const type = typeOf(shown);
  if (record?.url === undefined || type === null) return null;
  const isNew = visit.now - Date.parse(record.created_at) < NEW_MS;
  const { STANDBY_URL: standby } = visit.env;
  const instructions = (
    <details open={isNew}>
      <summary>Set up {type.title}</summary>
      <SetUp type={type} record={record} standby={standby} />
      {hasToken(record) && isAdmin(visit) ? (
        <>
          <p class="help">
            The token is shown only when it is made. Rotate it to see a new one here.
          </p>
          <ActionButton
            to={`/integrations/${record.prefix_id}/rotate`}
            label="Rotate token"
            fields={{ what: "token", overlap: "86400" }}
            confirm="Rotate the token? The current one is valid for one more day."
          />
        </>
      ) : null}
    </details>
  );
  const test = isAdmin(visit) ? (
    <ActionButton
      to={`/integrations/${record.prefix_id}/test`}
      {...(acceptsEvents(type)
        ? {
            label: "Send test event",
            confirm: "Send a test event? It creates a real alert and people are notified.",
          }
        : { label: "Send test message" })}
    />
  ) : null;
  if (!type.supports.create) {
    return (
      <Panel title="Set-up" id="address">
        {instructions}
        {test}
      </Panel>
    );
  }
  return (
    <Panel title="Webhook URL" id="address">
      <CopyField label="Webhook URL" value={record.url} />
      {standby ? (
        <CopyField
          label="The standby's URL, to which the sender sends its events too"
          value={atStandby(standby, record.url)}
        />
      ) : null}
      {instructions}
      {test}
      <IntakeKey record={record} />
      {isAdmin(visit) ? <Rotations record={record} /> : null}
    </Panel>
  );
};

/** Every option of the form. Browsers do not send unticked boxes; they mean false. */
function optionsOf(form: Values) {
  const sent = Object.entries(form).filter(([name]) => name.startsWith("option_"));
  const boxes = listOf(form, "boxes").map((name) => [name, "false"] as const);
  return Object.fromEntries([...boxes, ...sent]);
}

/** The blank value of an option's field: an unticked box or an empty text. */
const blankOf = (sent: unknown) => (sent === "false" ? "false" : "");

const FORM: DeclaredForm<ShownForm<Integration, IntegrationFormData>> = declareForm(
  CreateIntegration,
  [
    {
      draw: Type,
      body: (form) => ({ integration_type_id: fieldText(form, "integration_type_id") }),
    },
    { name: "name", label: "Name" },
    { name: "enabled", label: "Enabled" },
    {
      draw: Urgency,
      parameters: ["urgency"],
      body: (form) => ({ urgency: fieldText(form, "urgency") }),
    },
    {
      legend: "Goes to",
      fields: [
        {
          name: "team_ids",
          label: "Teams",
          choices: ({ around }) => choicesOf(around.names.teams),
          source: "teams",
        },
        {
          name: "router_ids",
          label: "Routers",
          choices: ({ around }) => choicesOf(around.routers),
          source: "routers",
        },
        {
          name: "account_user_ids",
          label: "People",
          choices: ({ around }) => peopleChoices(around.names),
          source: "people",
        },
      ],
    },
    { draw: Options, body: optionsOf },
    {
      draw: (shown) => {
        const type = typeOf(shown);
        const isSender = shown.record !== null && type !== null && acceptsEvents(type);
        return isSender ? <AcceptedRequests {...shown} /> : null;
      },
      parameters: ACCEPTED,
      body: acceptedOf,
    },
  ],
);

const destinationsOf = (it: Integration, names: Names, routers: IntegrationFormData["routers"]) =>
  [
    ...it.team_ids.map(names.of),
    ...it.router_ids.map((id) => routers.find((router) => router.id === id)?.name ?? ""),
    ...it.account_user_ids.map(names.of),
  ].join(", ");

const integrations = resourcePages<Integration, IntegrationFormData>({
  path: "/integrations",
  calls: (api) => api.records("/integrations"),
  title: "Integrations",
  one: "integration",
  lead: "Receive events from other tools, or notify them of alerts.",
  read,
  columns: ({ names, routers }) => [
    { title: "Type", by: (it) => it.integration_type.title },
    {
      title: "Status",
      cell: (it) => (
        <>
          {it.enabled ? "enabled " : <Badge tone="quiet">disabled</Badge>}
          {it.not_understood_at === null ? null : <Badge tone="warn">not understood</Badge>}
        </>
      ),
      by: (it) => (it.enabled ? "enabled" : "disabled"),
    },
    { title: "Goes to", by: (it) => destinationsOf(it, names, routers) },
  ],
  empty: "An integration connects one tool, such as a monitoring system.",
  before: teamFirst,
  form: FORM,
  first: (shown) =>
    typeOf(shown) === null ? (
      <ChooseType url={shown.visit.url} types={shown.around.types.data} />
    ) : null,
  changesOf: (body, integration) => {
    const options = Object.keys(body)
      .filter((name) => name.startsWith("option_"))
      .map((name) => [name, integration.options[name.slice("option_".length)]] as const);
    const integration_type_id = integration.integration_type.id;
    return changedParameters(body, {
      ...integration,
      integration_type_id,
      ...Object.fromEntries(options.map(([name, value]) => [name, value ?? blankOf(body[name])])),
    });
  },
  blank: ({ query }) => ({ enabled: true, team_ids: query.getAll("team") }),
  above: (shown) => (
    <>
      {shown.record ? <NotUnderstood integration={shown.record} visit={shown.visit} /> : null}
      <Address {...shown} />
    </>
  ),
  besideRead: requestLog,
  attempt: replayOptions,
  deleting: "Delete this integration? Its URL and keys stop working. Its alerts are kept.",
});

export const integrationsPages: readonly ConsolePage[] = [
  ...integrations,
  ...logPages,
  ...rotationActions,
];
