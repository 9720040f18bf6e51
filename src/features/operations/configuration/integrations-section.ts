import { sql } from "drizzle-orm";
import { isJsonObject, objectOf } from "../../../domain/shared/json.ts";
import { selectEvery } from "../../../kernel/db/records.ts";
import { optionsOf } from "../../../products/common-options.ts";
import type { IntegrationType } from "../../../products/integration-type.ts";
import { findIntegrationType } from "../../../products/integration-type-id.ts";
import { integrationTypes } from "../../../products/registry.ts";
import type { Integration } from "../../integrations/integrations/contract.ts";
import {
  CreateIntegration,
  UpdateIntegration,
} from "../../integrations/integrations/parameters.ts";
import { integrationRecords } from "../../integrations/integrations/rows.ts";
import { createIntegration, updateIntegration } from "../../integrations/integrations/verbs.ts";
import { integrationReceivers, integrations } from "../../schema/integrations.ts";
import {
  byId,
  declareSection,
  type Entry,
  type Finder,
  type KeyOf,
  type Parameters,
  pick,
  plainFields,
  validated,
} from "./section.ts";

/** `accepts_id` is a flag, whatever its name ends with. */
const PLAIN = [
  ...plainFields(CreateIntegration.out).filter((field) => field !== "options"),
  "accepts_id",
];

/** The fields that list receivers: their kinds and parameters. */
const RECEIVERS = [
  ["teams", "team", "team_ids"],
  ["routers", "router", "router_ids"],
  ["people", "account_user", "account_user_ids"],
] as const;

const RECEIVING = integrationTypes.filter(({ outgoing }) => outgoing === undefined);

/** The condition that an integration is in a file: what sends needs an address or a token, which are secrets. */
export const isConfigured = sql`${integrations.integrationType} in
    (select value from json_each(${JSON.stringify(RECEIVING.map(({ name }) => name))}))
  and exists (select 1 from ${integrationReceivers} as receiver
    where receiver.integration_id = ${integrations.id})`;

/** The integrations that receive events, without their addresses and secrets. */
export const integrationsSection = declareSection({
  name: "integrations",
  kind: "integration",
  fields: ["type", ...PLAIN, "options", "secrets", ...RECEIVERS.map(([field]) => field)],
  fieldNames: {
    integration_type_id: "type",
    ...Object.fromEntries(
      RECEIVING.flatMap(optionsOf).map(({ key }) => [`option_${key}`, `options.${key}`]),
    ),
    ...Object.fromEntries(RECEIVERS.map(([field, , parameter]) => [parameter, field])),
  },
  onlyNew: ["secrets"],
  select: (accountId, _now, context) =>
    selectEvery(integrationRecords(context), accountId, isConfigured),
  settle,
  noteOf: ({ secrets }) => {
    const needed = Array.isArray(secrets) && secrets.length > 0 ? secrets.join(", ") : null;
    return `its senders need its new URL${needed ? `; set again: ${needed}` : ""}`;
  },
  show,
  parametersOf,
  create: validated(CreateIntegration, createIntegration),
  update: validated(UpdateIntegration, (context, id, body) =>
    updateIntegration(context, byId(id), body),
  ),
});

const typeOf = (entry: Entry): IntegrationType | null =>
  typeof entry.type === "string" ? findIntegrationType(entry.type) : null;

function show(integration: Integration, keyOf: KeyOf): Entry {
  const { integration_type: named, options } = integration;
  const type = findIntegrationType(named.name);
  const declared = type ? optionsOf(type) : [];
  const secrets = declared.filter((it) => it.type === "secret" && options[it.key] != null);
  const receivers = RECEIVERS.map(([field, kind, parameter]) => [
    field,
    integration[parameter].flatMap((id) => keyOf(kind, id) ?? []),
  ]);
  return {
    type: named.name,
    ...pick(integration, PLAIN),
    options: type ? ownOptions(type, options) : {},
    // What has to be set again elsewhere.
    ...(secrets.length > 0 && { secrets: secrets.map(({ key }) => key) }),
    ...Object.fromEntries(receivers),
  };
}

const plainOptions = (type: IntegrationType) =>
  optionsOf(type).filter((it) => it.type !== "secret");

/** The options that are not as they are without being named, in the order of the type. */
const ownOptions = (type: IntegrationType, options: Entry): Entry =>
  Object.fromEntries(
    plainOptions(type)
      .map((it) => [it.key, options[it.key] ?? it.default, it.default] as const)
      .filter(([, value, otherwise]) => value !== otherwise)
      .map(([key, value]) => [key, value]),
  );

function settle(entry: Entry, stored: Entry | null) {
  const written: Entry = { accepts_id: false, ...stored, ...entry };
  const type = typeOf(written);
  const { options } = written;
  if (type === null || !isJsonObject(options ?? {})) return { written, shown: written };
  const known = new Set(plainOptions(type).map(({ key }) => key));
  const unknown = Object.entries(objectOf(options)).filter(([key]) => !known.has(key));
  const shown = {
    ...written,
    type: type.name,
    enabled: written.enabled ?? true,
    accepts_get: written.accepts_get ?? type.acceptsGet ?? false,
    options: { ...ownOptions(type, objectOf(options)), ...Object.fromEntries(unknown) },
    ...Object.fromEntries(RECEIVERS.map(([field]) => [field, written[field] ?? []])),
  };
  return { written: shown, shown };
}

function parametersOf(entry: Entry, find: Finder, place: string): Parameters {
  const { options, type: named } = entry;
  const type = typeOf(entry);
  if (!isJsonObject(options ?? {})) find.fault(`${place}.options`, "must be a map");
  const sent = objectOf(options);
  const declared = type ? optionsOf(type) : [];
  for (const key of Object.keys(sent)) {
    const option = declared.find((it) => it.key === key);
    const at = `${place}.options.${key.slice(0, 64)}`;
    if (option === undefined) find.fault(at, `is not an option of ${String(named).slice(0, 64)}`);
    else if (option.type === "secret") find.fault(at, "is a secret, which is in no file");
  }
  const values = declared
    .filter((it) => it.type !== "secret")
    .map(({ key }) => [`option_${key}`, sent[key] ?? null]);
  const receivers = RECEIVERS.map(([field, kind, parameter]) => [
    parameter,
    find.idsOf(kind, entry[field], `${place}.${field}`),
  ]);
  return {
    ...pick(entry, PLAIN),
    integration_type_id: named,
    ...Object.fromEntries(values),
    ...Object.fromEntries(receivers),
  };
}
