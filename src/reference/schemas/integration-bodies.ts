// The bodies that take options of integration types, each as `option_<key>`. A create is a union of
// one schema per type with the discriminator `integration_type_id`. An update takes the options of
// all types, since the record determines the type.
import { prefixIdOf } from "../../domain/shared/identifiers.ts";
import { optionsOf } from "../../products/common-options.ts";
import type { IntegrationType, OptionDescription } from "../../products/integration-type.ts";
import { integrationTypeId } from "../../products/integration-type-id.ts";
import { integrationTypes } from "../../products/registry.ts";
import { describeBody, type Owner } from "./body-descriptions.ts";
import type { Schemas } from "./components.ts";
import { referenceTo, type Shape, text } from "./json-schema.ts";

const TYPE = "integration_type_id";
const BASE = "IntegrationParameters";
const MAX_LENGTH = 4096;

type Properties = Readonly<Record<string, Shape>>;

const isCommon = (option: OptionDescription) =>
  integrationTypes.every((type) =>
    optionsOf(type).some((it) => JSON.stringify(it) === JSON.stringify(option)),
  );

const typeOf = ({ type }: OptionDescription): "string" | "boolean" | "integer" =>
  type === "secret" ? "string" : type;

function describe(option: OptionDescription, about: string): Shape {
  const { required } = option;
  const preset = option.default === null ? "" : ` Default: \`${option.default}\`.`;
  const secret = option.type === "secret" ? " Reads back as `***`." : "";
  return {
    type: required ? typeOf(option) : [typeOf(option), "null"],
    ...(typeOf(option) === "string" && { maxLength: MAX_LENGTH }),
    description: `${about}${preset}${secret}`,
  };
}

const propertiesOf = (options: readonly OptionDescription[]): Properties =>
  Object.fromEntries(
    options.map((option) => [`option_${option.key}`, describe(option, option.help)]),
  );

/** `uptime_kuma` → `CreateUptimeKumaIntegration`. */
const titleOf = ({ name }: IntegrationType) =>
  `Create${name.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}Integration`;

/** The parameters of a create that only this type takes. */
function variantOf(type: IntegrationType, common: readonly string[]): Shape {
  const id = integrationTypeId(type.name);
  const own = optionsOf(type).filter(({ key }) => !common.includes(key));
  const required = own.filter((option) => option.required).map(({ key }) => `option_${key}`);
  const typeParameter = { ...text, enum: [type.name, id, prefixIdOf("integration_type", id)] };
  return {
    description: `${type.title}: ${type.description}`,
    allOf: [
      referenceTo(BASE),
      {
        type: "object",
        properties: {
          [TYPE]: { ...typeParameter, description: "The type's name, `id` or `prefix_id`." },
          ...propertiesOf(own),
        },
        required: [TYPE, ...required],
      },
    ],
  };
}

/** The options of all types; an option that not all types have lists its types. */
function allOptions(): Properties {
  const byKey = new Map<string, { option: OptionDescription; type: IntegrationType }[]>();
  for (const type of integrationTypes) {
    for (const option of optionsOf(type)) {
      byKey.set(option.key, [...(byKey.get(option.key) ?? []), { option, type }]);
    }
  }
  const entries = [...byKey].map(([key, uses]) => {
    const helpTexts = [...new Set(uses.map(({ option }) => option.help))];
    const names = uses.map(({ type }) => `\`${type.name}\``).join(", ");
    const suffix = uses.length === integrationTypes.length ? "" : ` Types: ${names}.`;
    const types = [...new Set(uses.map(({ option }) => typeOf(option)))];
    const shape = { type: [...types, "null"], description: `${helpTexts.join(" ")}${suffix}` };
    return [`option_${key}`, shape] as const;
  });
  return Object.fromEntries(entries);
}

/**
 * Adds the schema of a body that takes type options.
 *
 * @returns the schema from which examples are generated
 */
export function addTypedBody(schemas: Schemas, title: string, body: Shape, owner: Owner): Shape {
  const { properties = {} } = body;
  const required = (body.required ?? []) as readonly string[];
  if (!required.includes(TYPE)) {
    const withOptions = { ...body, properties: { ...properties, ...allOptions() } };
    schemas.set(title, describeBody(withOptions, owner));
    return withOptions;
  }
  const [anyType] = integrationTypes;
  const common = optionsOf(anyType as IntegrationType).filter(isCommon);
  const { [TYPE]: _, ...others } = properties;
  const base = {
    ...body,
    properties: { ...others, ...propertiesOf(common) },
    required: required.filter((name) => name !== TYPE),
  };
  schemas.set(BASE, describeBody(base, owner));
  const keys = common.map(({ key }) => key);
  for (const type of integrationTypes) schemas.set(titleOf(type), variantOf(type, keys));
  const mapping = integrationTypes.map((type) => [type.name, referenceTo(titleOf(type)).$ref]);
  schemas.set(title, {
    oneOf: integrationTypes.map((type) => referenceTo(titleOf(type))),
    discriminator: { propertyName: TYPE, mapping: Object.fromEntries(mapping) },
  });
  return { ...base, properties: { ...base.properties, [TYPE]: text }, required };
}
