// Converts a route into an operation of the document: parameters, body, responses and examples.
import type * as z from "zod";
import { exampleId } from "../kernel/contract/examples.ts";
import type { Allow, Route } from "../kernel/http/route.ts";
import { headersNamed, reasonsOf, referencesTo, takesIdempotencyKey } from "./errors.ts";
import { OPERATION_DESCRIPTIONS } from "./operation-words.ts";
import {
  bookmarkParameter,
  idempotencyKeyParameter,
  listParameters,
  pathParameters,
  queryParameters,
} from "./parameters.ts";
import { answerExample, answerSchema, listName } from "./schemas/answers.ts";
import { bodyShape, neededOneOf, takesTypeOptions } from "./schemas/bodies.ts";
import { describeBody, exampleBody, type Owner } from "./schemas/body-descriptions.ts";
import { recordsOf, type Schemas } from "./schemas/components.ts";
import { addTypedBody } from "./schemas/integration-bodies.ts";
import { referenceTo, type Shape, text } from "./schemas/json-schema.ts";

const HEAD =
  "person,account_user_id,weekday_hours,night_hours,weekend_hours,holiday_hours,total_hours";
const ROW = `Ada Keeper,${exampleId("account_user")},40.00,24.00,16.00,8.00,88.00`;

const CONFIGURATION = `tocsin: 1
people:
  - email: ada@example.com
    name: Ada Lovelace
    time_zone: London
    roles: [admin]
    notification_rule: null
schedules:
  - key: payments
    name: Payments Schedule
teams:
  - key: payments
    name: Payments
    schedule: payments
    members: [ada@example.com]
    admins: [ada@example.com]
`;

const FILE_EXAMPLES: Readonly<Record<string, string>> = {
  exportConfiguration: CONFIGURATION,
  exportOnCallHours: `${HEAD}\r\n${ROW}\r\n`,
};

/** Components collected while the operations are generated. */
export type CollectedComponents = {
  readonly schemas: Schemas;
  /** Examples by name. */
  readonly examples: Map<string, unknown>;
  /** The names of bodies, so that a body of several operations is described once. */
  readonly bodies: Map<z.ZodType, string>;
};

const NEEDS: Readonly<Record<Allow, string>> = {
  everyone: "",
  admin: "Requires the role `admin`.",
  broadcaster: "Requires the role `broadcaster` or `admin`.",
  team_admin: "Requires the role `admin`, or being an admin of all teams concerned.",
  team_member:
    "Requires the role `admin`, or being a member or an admin of a team of every schedule concerned.",
  owner: "Requires the role `admin`, except for what is the caller's own.",
};

/** `PATCH` and `PUT` share a route but need distinct ids. */
const operationId = ({ method, operation }: Route) =>
  method === "PATCH" ? operation.replace(/^update/, "patch") : operation;

const joinLines = (text: string) => text.replace(/\s+/g, " ").trim();

/** The operation, and its path in OpenAPI notation. */
export function operationOf(route: Route, tag: string, gathered: CollectedComponents) {
  const { path, parameters } = pathParameters(route.path);
  const about = route.description ?? OPERATION_DESCRIPTIONS[route.operation] ?? "";
  const description = joinLines(`${about} ${NEEDS[route.allow]}`);
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
    responses: {
      ...withPreview(route, success(route, gathered), gathered),
      ...referencesTo(reasonsOf(route)),
    },
  };
  return { path, operation };
}

function queryOf({ shows, query, previews, correctsPast }: Route): Shape[] {
  if (previews) {
    return [
      ...(query ? queryParameters(query) : []),
      ...queryParameters("PreviewQuery"),
      ...(correctsPast ? queryParameters("CorrectionQuery") : []),
    ];
  }
  const own = query ? queryParameters(query) : [];
  switch (shows.kind) {
    case "list": {
      const { some, all } = recordsOf(shows.records);
      const attributes = { ...some.attributes, ...all.attributes };
      const searches = all.search.length > 0;
      const aliases = Object.keys(shows.aliases);
      return [...own, ...listParameters(attributes, all.shows, { aliases, searches })];
    }
    case "list_of":
      return listParameters(shows.attributes, shows.shows, { aliases: [], searches: true });
    default:
      return own;
  }
}

const bodyTitle = ({ operation }: Route) => operation.replace(/^./, (it) => it.toUpperCase());

/** The record that a route shows: its fields describe the body. */
function ownerOf({ shows }: Route): Owner {
  const showsRecords = shows.kind === "record" || shows.kind === "list";
  return showsRecords ? recordsOf(shows.records).all.shows : undefined;
}

function requestBody(route: Route, body: z.ZodType, gathered: CollectedComponents): Shape {
  const { schemas, bodies, examples } = gathered;
  const known = bodies.get(body);
  const title = known ?? bodyTitle(route);
  const shape = bodyShape(body);
  const needed = neededOneOf(body);
  if (known === undefined) {
    bodies.set(body, title);
    const owner = ownerOf(route);
    const typed = takesTypeOptions(body) ? addTypedBody(schemas, title, shape, owner) : null;
    if (typed === null) schemas.set(title, describeBody(shape, owner));
    examples.set(title, exampleBody(typed ?? shape, owner, needed.slice(0, 1)));
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

/** The responses of a route, and that of its preview. */
function withPreview({ previews }: Route, responses: Shape, gathered: CollectedComponents): Shape {
  if (!previews) return responses;
  const { schemas, examples } = gathered;
  const name = "OnCallPreview";
  schemas.set(name, answerSchema(name));
  examples.set(name, answerExample(name));
  const preview = json(referenceTo(name), name)["application/json"] as Shape;
  const written = responses[200] as { readonly content: Shape } | undefined;
  if (!written) {
    const headers = headersNamed(["X-Request-Id", "X-D1-Bookmark"]);
    const content = { "application/json": preview };
    return { ...responses, 200: { description: "The preview.", headers, content } };
  }
  const record = written.content["application/json"] as { schema: Shape; examples: Shape };
  const schema = { anyOf: [record.schema, preview.schema] };
  const both = { ...record, schema };
  return { ...responses, 200: { ...written, content: { "application/json": both } } };
}

function success(route: Route, { schemas, examples }: CollectedComponents): Shape {
  const { shows } = route;
  const responseOf = (status: number, description: string, content: Shape): Shape => {
    const replay = takesIdempotencyKey(route) ? ["Idempotent-Replayed"] : [];
    const headers = headersNamed(["X-Request-Id", "X-D1-Bookmark", ...replay]);
    return { [status]: { description, headers, content } };
  };
  const one = (status: number, description: string, name: string) => {
    schemas.set(name, answerSchema(name));
    examples.set(name, answerExample(name));
    return responseOf(status, description, json(referenceTo(name), name));
  };
  switch (shows.kind) {
    case "record": {
      const name = shows.shows ?? recordsOf(shows.records).all.shows;
      return one(shows.status, shows.status === 201 ? "Created." : "The record.", name);
    }
    case "list":
      return one(200, "A page of the list.", listName(recordsOf(shows.records).all.shows));
    case "list_of":
      return one(200, "A page of the list.", listName(shows.shows));
    case "body":
      return one(shows.status, "Success.", shows.shows);
    case "bare_list": {
      const name = `${route.operation}Answer`;
      examples.set(name, [answerExample(shows.shows)]);
      const schema = { type: "array", items: referenceTo(shows.shows) };
      return responseOf(200, "Success.", json(schema, name));
    }
    case "csv":
      return responseOf(200, "The file.", {
        "text/csv": { schema: text, example: FILE_EXAMPLES[route.operation] },
      });
    case "yaml":
      return responseOf(200, "The file.", {
        "application/yaml": { schema: text, example: FILE_EXAMPLES[route.operation] },
      });
    case "nothing":
      return {
        204: { description: "Success.", headers: headersNamed(["X-Request-Id", "X-D1-Bookmark"]) },
      };
    case "refusal":
      return {};
  }
}
