// What the pages read of the OpenAPI document, and how they follow its references.

export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly discriminator?: { readonly propertyName: string };
  readonly additionalProperties?: boolean | Schema;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
};

export type OpenApiParameter = {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
};

type Reference = { readonly $ref: string };

export type Media = {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Reference | { readonly value: unknown }>>;
};

type Content = Readonly<Record<string, Media>>;

export type Response = { readonly description: string; readonly content?: Content };

export type OpenApiOperation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly tags: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly (OpenApiParameter | Reference)[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly description?: string;
    readonly content: Content;
  };
  readonly responses: Readonly<Record<string, Response | Reference>>;
};

type SecurityScheme = {
  readonly type: string;
  readonly scheme?: string;
  readonly name?: string;
  readonly description: string;
};

export type Document = {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
    readonly parameters: Readonly<Record<string, OpenApiParameter>>;
    readonly headers: Readonly<Record<string, { readonly description: string }>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
  };
};

/** `#/components/schemas/Team` → `Team` */
export const nameOf = ({ $ref }: Reference): string => $ref.slice($ref.lastIndexOf("/") + 1);

export const isReference = <Value extends object>(it: Value | Reference): it is Reference =>
  "$ref" in it && it.$ref !== undefined;

/** The parameters of an operation, those of the components too. */
export const parametersOf = (
  { components }: Document,
  { parameters = [] }: OpenApiOperation,
): OpenApiParameter[] =>
  parameters.flatMap((it) => (isReference(it) ? (components.parameters[nameOf(it)] ?? []) : [it]));

/** The example of a body or an answer; undefined if it has none. */
export function exampleOf({ components }: Document, { example, examples = {} }: Media): unknown {
  const [named] = Object.values(examples);
  if (named === undefined) return example;
  return isReference(named) ? components.examples[nameOf(named)]?.value : named.value;
}

/** The schema that a reference names, or the schema itself. */
export const resolved = ({ components }: Document, schema: Schema): Schema =>
  schema.$ref ? (components.schemas[nameOf({ $ref: schema.$ref })] ?? {}) : schema;

/** A schema with the properties of all that it consists of. */
export function merged(document: Document, schema: Schema): Schema {
  const { allOf = [], ...own } = resolved(document, schema);
  const parts = [own, ...allOf.map((it) => merged(document, it))];
  return {
    ...own,
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  };
}

/** The names of the schemas that a schema refers to, directly. */
export function referencesOf(schema: Schema): string[] {
  const { $ref, properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema;
  const { additionalProperties: more } = schema;
  const parts = [
    ...[...Object.values(properties), ...anyOf, ...oneOf, ...allOf],
    ...(items ? [items] : []),
    ...(typeof more === "object" ? [more] : []),
  ];
  return [...($ref ? [nameOf({ $ref })] : []), ...parts.flatMap(referencesOf)];
}
