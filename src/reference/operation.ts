// One route as an operation of the document: its parameters, its body, its answers, with an example of each.
import type * as z from "zod";
import type { Shape } from "../db/shape.ts";
import type { Allow, Route } from "../http/route.ts";
import { bodyShape, neededOneOf, takesTypeOptions } from "./bodies.ts";
import {
  hoist,
  listSchema,
  recordSchema,
  recordsOf,
  referenceTo,
  referring,
  type Schemas,
  titleOf,
} from "./components.ts";
import { exampleBody, exampleValue } from "./described.ts";
import { headersNamed, reasonsOf, referencesTo, takesIdempotencyKey } from "./errors.ts";
import { hoistTypedBody } from "./integration-bodies.ts";
import {
  bookmarkParameter,
  idempotencyKeyParameter,
  listParameters,
  pathParameters,
  queryParameters,
} from "./parameters.ts";
import { OPERATION_WORDS } from "./words/operations.ts";

/** What is gathered while the operations are made. */
export type Gathered = {
  readonly schemas: Schemas;
  /** Examples by name. */
  readonly examples: Map<string, unknown>;
  /** Names of bodies, so that a body of several operations is described once. */
  readonly bodies: Map<z.ZodType, string>;
};

const NEEDS: Readonly<Record<Allow, string>> = {
  everyone: "",
  admin: "Requires the role `admin`.",
  broadcaster: "Requires the role `broadcaster` or `admin`.",
  team_admin: "Requires the role `admin`, or being an admin of all teams concerned.",
};

/** `PATCH` is the same as `PUT`, under a name of its own. */
const operationId = ({ method, operation }: Route) =>
  method === "PATCH" ? operation.replace(/^update/, "patch") : operation;

/** Markdown on one line. */
const onOneLine = (text: string) => text.replace(/\s+/g, " ").trim();

/** The operation, and its path as the document writes it. */
export function operationOf(route: Route, tag: string, gathered: Gathered) {
  const { path, parameters } = pathParameters(route.path);
  const about = route.description ?? OPERATION_WORDS[route.operation] ?? "";
  const description = onOneLine(`${about} ${NEEDS[route.allow]}`);
  const operation: Shape = {
    operationId: operationId(route),
    summary: route.summary,
    ...(description !== "" && { description }),
    ...(route.shows.kind === "refusal" && { deprecated: true }),
    tags: [tag],
    parameters: [
      ...parameters,
      ...queryOf(route),
      ...(takesIdempotencyKey(route) ? [idempotencyKeyParameter] : []),
      bookmarkParameter,
    ],
    ...(route.body && { requestBody: requestBody(route, route.body, gathered) }),
    responses: { ...success(route, gathered), ...referencesTo(reasonsOf(route)) },
  };
  return { path, operation };
}

function queryOf({ shows, query }: Route): Shape[] {
  if (query) return queryParameters(query, "Query");
  switch (shows.kind) {
    case "list": {
      const { some, all } = recordsOf(shows.records);
      const attributes = { ...some.attributes, ...all.attributes };
      const searches = all.search.length > 0;
      const aliases = Object.keys(shows.aliases);
      return listParameters(attributes, titleOf(all.kind), { aliases, searches });
    }
    case "list_of": {
      const owner = String(shows.shape.title);
      return listParameters(shows.attributes, owner, { aliases: [], searches: true });
    }
    default:
      return [];
  }
}

const bodyTitle = ({ operation }: Route) => operation.replace(/^./, (it) => it.toUpperCase());

/** The kind of record that a route is about: its words describe the body. The body itself, where it is about none. */
function ownerOf(route: Route): string {
  const { shows } = route;
  if (shows.kind !== "record" && shows.kind !== "list") return bodyTitle(route);
  return titleOf(recordsOf(shows.records).all.kind);
}

function requestBody(route: Route, body: z.ZodType, gathered: Gathered): Shape {
  const { schemas, bodies, examples } = gathered;
  const known = bodies.get(body);
  const title = known ?? bodyTitle(route);
  const shape = bodyShape(body);
  const needed = neededOneOf(body);
  if (known === undefined) {
    bodies.set(body, title);
    const owner = [title, ownerOf(route)];
    const schema = takesTypeOptions(body)
      ? hoistTypedBody(schemas, title, shape, owner)
      : (schemas.get(hoist(schemas, { ...shape, title }, owner)) as Shape);
    examples.set(title, exampleBody(schema, owner, schemas, needed.slice(0, 1)));
  }
  const names = needed.map((name) => `\`${name}\``).join(", ");
  const required = needed.length > 0 || ((shape.required ?? []) as readonly string[]).length > 0;
  return {
    ...(needed.length > 0 && { description: `At least one of ${names} is required.` }),
    required,
    content: json(referenceTo(title), title),
  };
}

const json = (schema: Shape, example: string): Shape => ({
  "application/json": {
    schema,
    examples: { example: { $ref: `#/components/examples/${example}` } },
  },
});

function success(route: Route, { schemas, examples }: Gathered): Shape {
  const { shows } = route;
  const answer = (status: number, description: string, schema: Shape, example: string) => {
    examples.set(example, exampleValue(schema, example, schemas));
    const replay = takesIdempotencyKey(route) ? ["Idempotent-Replayed"] : [];
    const headers = headersNamed(["X-Request-Id", "X-D1-Bookmark", ...replay]);
    return { [status]: { description, headers, content: json(schema, example) } };
  };
  switch (shows.kind) {
    case "record": {
      const name = recordSchema(schemas, shows.records, shows.beside);
      const description = shows.status === 201 ? "Created." : "The record.";
      return answer(shows.status, description, referenceTo(name), name);
    }
    case "list": {
      const name = listSchema(schemas, recordSchema(schemas, shows.records));
      return answer(200, "A page of the list.", referenceTo(name), name);
    }
    case "list_of": {
      const name = listSchema(schemas, hoist(schemas, shows.shape));
      return answer(200, "A page of the list.", referenceTo(name), name);
    }
    case "body": {
      const title = shows.shape.title ?? `${route.operation}Answer`;
      return answer(shows.status, "Success.", referring(schemas, shows.shape), String(title));
    }
    case "nothing":
      return {
        204: { description: "Success.", headers: headersNamed(["X-Request-Id", "X-D1-Bookmark"]) },
      };
    case "refusal":
      return {};
  }
}
