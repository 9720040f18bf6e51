// Holds every answer of the suite against the reference: an operation, a status, a header or a property that the
// document does not know fails the test that met it. The document is made of the routes as they are, once.
import { type Schema, Validator } from "@cfworker/json-schema";
import { documentOf } from "../../../src/reference/document.ts";
import { routes } from "../../../src/routes.ts";
import { withReferences } from "./openapi.ts";

type Json = Record<string, any>;

export type Answered = {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  /** As parsed; a text where it is no JSON; null where there is none. */
  readonly body: unknown;
};

/** What the document promises of one status of one operation. */
type Promised = {
  readonly headers: readonly string[];
  readonly mediaType: string | null;
  readonly validator: Validator | null;
};

const document = documentOf(routes) as Json;

const paths = Object.keys(document.paths).map((path) => ({
  path,
  parameters: path.split("{").length - 1,
  pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, "[^/]+").replaceAll(".", "\\.")}$`),
}));
// A path in words is before one with a parameter in its place.
paths.sort((one, other) => one.parameters - other.parameters);

const promises = new Map<string, Promised | null>();

/**
 * Properties that are not described are faults: every object that has properties has no others.
 */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, strict(value)]),
  );
  const isClosed = typeof inner.properties === "object" && inner.additionalProperties === undefined;
  return isClosed ? { ...inner, additionalProperties: false } : inner;
}

const validatorOf = (schema: Json) =>
  new Validator(strict(withReferences(schema, document)) as Schema, "2020-12", false);

const errorValidator = validatorOf({ $ref: "#/components/schemas/Error" });

function promisedOf(path: string, method: string, status: number): Promised | null {
  const key = `${method} ${path} ${status}`;
  const held = promises.get(key);
  if (held !== undefined) return held;
  const found = document.paths[path]?.[method.toLowerCase()]?.responses[status];
  const response = found && withReferences(found, document);
  const [mediaType = null, media] = Object.entries<Json>(response?.content ?? {})[0] ?? [];
  const headers = Object.entries<Json>(response?.headers ?? {})
    .filter(([, header]) => header.required)
    .map(([name]) => name);
  const isJson = mediaType === "application/json";
  const promised = response
    ? { headers, mediaType, validator: isJson && media ? validatorOf(media.schema) : null }
    : null;
  promises.set(key, promised);
  return promised;
}

/** What an answer has that the document does not say, each as a sentence; none when it is as promised. */
export function undocumented(answered: Answered): string[] {
  const { method, status, headers, body } = answered;
  if (method === "OPTIONS" || method === "HEAD") return [];
  const path = (answered.path.split(/[?#]/)[0] ?? "").replace(/(?<=.)\/$/, "");
  const known = paths.find(({ pattern }) => pattern.test(path))?.path;
  const place = `${method} ${known ?? path} → ${status}`;
  const isElsewhere = !known || !document.paths[known][method.toLowerCase()];
  if (isElsewhere) {
    const isRefused = status === 404 || status === 405;
    return isRefused ? faultsOf(place, errorValidator, body) : [`${place}: no such operation`];
  }
  const promised = promisedOf(known, method, status);
  if (promised === null) return [`${place}: the reference has no such status`];
  const missing = promised.headers.filter((name) => !headers.has(name));
  const type = headers.get("content-type")?.split(";")[0] ?? null;
  return [
    ...missing.map((name) => `${place}: no header ${name}`),
    ...(type === promised.mediaType ? [] : [`${place}: ${type} instead of ${promised.mediaType}`]),
    ...(promised.validator ? faultsOf(place, promised.validator, body) : []),
  ];
}

/** The body with half characters in names made whole: the validator cannot point at them. */
const pointable = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).map(([name, it]) => [name.toWellFormed(), it]))
      : value,
  );

function faultsOf(place: string, validator: Validator, body: unknown): string[] {
  const { valid, errors } = validator.validate(pointable(body));
  if (valid) return [];
  // Those around a fault only say that there is one.
  const isAround = (place: string) =>
    errors.some(({ instanceLocation }) => instanceLocation.startsWith(`${place}/`));
  return errors
    .filter(({ instanceLocation }) => !isAround(instanceLocation))
    .map(({ instanceLocation, error }) => `${place} ${instanceLocation}: ${error}`);
}

/** @throws what `undocumented` finds */
export function expectDocumented(answered: Answered): void {
  const faults = undocumented(answered);
  if (faults.length === 0) return;
  throw new Error(`the reference does not say so:\n${faults.slice(0, 10).join("\n")}`);
}
