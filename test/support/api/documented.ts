// Checks every response of the test suite against the reference: an undocumented operation, status,
// header or property fails the test. The document is generated from the routes once.
import { type Schema, Validator } from "@cfworker/json-schema";
import { documentOf } from "../../../src/reference/document.ts";
import { routes } from "../../../src/routes.ts";
import { withReferences } from "./openapi.ts";

type Json = Record<string, any>;

export type ObservedResponse = {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON; a string if it is not JSON; null if there is none. */
  readonly body: unknown;
};

/** What the document specifies for one status of one operation. */
type ResponseSpec = {
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
// Literal paths precede paths with parameters.
paths.sort((one, other) => one.parameters - other.parameters);

const depthOf = (path: string): number => path.split("/").length;
/** By how many parts they have: a hundred patterns for each response are too many. */
const pathsByDepth = Map.groupBy(paths, ({ path }) => depthOf(path));

const specs = new Map<string, ResponseSpec | null>();

/**
 * Closes every object schema that has properties, so that undocumented properties are errors.
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

function specOf(path: string, method: string, status: number): ResponseSpec | null {
  const key = `${method} ${path} ${status}`;
  const known = specs.get(key);
  if (known !== undefined) return known;
  const found = document.paths[path]?.[method.toLowerCase()]?.responses[status];
  const response = found && withReferences(found, document);
  const [mediaType = null, media] = Object.entries<Json>(response?.content ?? {})[0] ?? [];
  const headers = Object.entries<Json>(response?.headers ?? {})
    .filter(([, header]) => header.required)
    .map(([name]) => name);
  const isJson = mediaType === "application/json";
  const spec = response
    ? { headers, mediaType, validator: isJson && media ? validatorOf(media.schema) : null }
    : null;
  specs.set(key, spec);
  return spec;
}

/** The differences between a response and the document, each as a sentence. */
export function undocumented(answered: ObservedResponse): string[] {
  const { method, status, headers, body } = answered;
  if (method === "OPTIONS" || method === "HEAD") return [];
  const path = (answered.path.split(/[?#]/)[0] ?? "").replace(/(?<=.)\/$/, "");
  const known = pathsByDepth.get(depthOf(path))?.find(({ pattern }) => pattern.test(path))?.path;
  const place = `${method} ${known ?? path} → ${status}`;
  const isElsewhere = !known || !document.paths[known][method.toLowerCase()];
  if (isElsewhere) {
    const isRefused = status === 404 || status === 405;
    return isRefused ? faultsOf(place, errorValidator, body) : [`${place}: no such operation`];
  }
  const spec = specOf(known, method, status);
  if (spec === null) return [`${place}: the reference has no such status`];
  const missing = spec.headers.filter((name) => !headers.has(name));
  const type = headers.get("content-type")?.split(";")[0] ?? null;
  return [
    ...missing.map((name) => `${place}: no header ${name}`),
    ...(type === spec.mediaType ? [] : [`${place}: ${type} instead of ${spec.mediaType}`]),
    ...(spec.validator ? faultsOf(place, spec.validator, body) : []),
  ];
}

/** A lone surrogate in JSON, which has it escaped. */
const SURROGATE = /\\ud[89a-f]/i;

/** Replaces lone surrogates in names, for which the validator cannot build pointers. Most bodies have none. */
function pointable(body: unknown): unknown {
  const text = JSON.stringify(body);
  if (!SURROGATE.test(text)) return body;
  return JSON.parse(text, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).map(([name, it]) => [name.toWellFormed(), it]))
      : value,
  );
}

function faultsOf(place: string, validator: Validator, body: unknown): string[] {
  const { valid, errors } = validator.validate(pointable(body));
  if (valid) return [];
  // Errors of enclosing objects only repeat the inner error.
  const isAround = (place: string) =>
    errors.some(({ instanceLocation }) => instanceLocation.startsWith(`${place}/`));
  return errors
    .filter(({ instanceLocation }) => !isAround(instanceLocation))
    .map(({ instanceLocation, error }) => `${place} ${instanceLocation}: ${error}`);
}

/** @throws if `undocumented` finds a difference */
export function expectDocumented(answered: ObservedResponse): void {
  const faults = undocumented(answered);
  if (faults.length === 0) return;
  throw new Error(`the reference does not say so:\n${faults.slice(0, 10).join("\n")}`);
}
