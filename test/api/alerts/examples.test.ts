// The server accepts every example of a request in the reference: bodies and query parameters. Ids in an example are
// replaced by those of the account's records; nothing else is changed.

import { afterAll, describe, expect, test, vi } from "vitest";
import { PREFIXES, prefixIdOf, type RecordKind } from "../../../src/domain/shared/identifiers.ts";
import { exampleId } from "../../../src/kernel/contract/examples.ts";
import { API, documentOf } from "../../../src/reference/document.ts";
import { routes } from "../../../src/routes.ts";
import { call } from "../../support/api/api.ts";
import { withReferences } from "../../support/api/openapi.ts";
import { selectSome } from "../../support/generated/sizes.ts";
import { sampleOf } from "../../support/integrations/samples.ts";
import { type Inhabited, makeInhabited } from "../../support/worker/inhabited.ts";

type Json = Record<string, any>;

const document = documentOf(routes) as Json;

/** Operations that are refused in the state of this account, although their examples are valid. */
const REFUSED: Readonly<Record<string, { readonly status: number; readonly message: RegExp }>> = {
  deleteUser: { status: 405, message: /not deleted/ },
  confirmPhone: { status: 409, message: /code/ },
  confirmChannelAddress: { status: 409, message: /code/ },
  // The instant of all examples is in the past, or too far ahead.
  snoozeAlert: { status: 422, message: /until/ },
  takeOverShift: { status: 422, message: /nobody is on call by this event/ },
};

const KINDS = (Object.keys(PREFIXES) as RecordKind[]).filter((it) => it !== "account");

/** The example with the ids of the account's own records. */
function asSentBy({ ids, accountId, word }: Inhabited, example: unknown): unknown {
  const replacements = KINDS.flatMap((kind) => {
    const own = ids[kind as Exclude<RecordKind, "account">];
    return [
      [exampleId(kind), own.id],
      [prefixIdOf(kind, exampleId(kind)), own.prefixId],
    ];
  });
  replacements.push([exampleId("account"), accountId], ["ada@example.com", `${word}@example.com`]);
  let text = JSON.stringify(example);
  for (const [from, to] of replacements) text = text.replaceAll(from as string, to as string);
  return JSON.parse(text);
}

const exampleIn = (media: Json): unknown => {
  if (media.example !== undefined) return media.example;
  const [named] = Object.values<Json>(media.examples ?? {});
  return (withReferences(named, document) as Json).value;
};

const operations = Object.entries<Json>(document.paths)
  .filter(([path]) => path.startsWith(API))
  .flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: path.slice(API.length),
      id: operation.operationId as string,
      operation,
    })),
  );

/** Operations on an occurrence of the event in the reference's examples. */
const OCCURRENCE_OPERATIONS: readonly string[] = [
  "overrideEvent",
  "takeOverShift",
  "addEventException",
  "terminateEvent",
  "changeFollowingEvents",
  "previewFollowingEvents",
  "moveEventPart",
  "removeEventPart",
  "getEventOccurrence",
];

afterAll(() => {
  vi.restoreAllMocks();
});

/** Of each operation under `npm test`; all of them at full size. */
const SOME_PARAMETERS = 4;
let turns = 0;

let worlds = 0;

/** Creates an account with a record of each kind. */
function makeWorld(): Promise<Inhabited> {
  worlds += 1;
  return makeInhabited(`example${worlds}`);
}

let shared: Promise<Inhabited> | undefined;

/** The account for all operations whose requests do not conflict. */
function sharedWorld(): Promise<Inhabited> {
  shared ??= makeWorld();
  return shared;
}

/** Replaces a record of the account by one made from an example, if the operation needs it. */
async function withExampleRecord(world: Inhabited, operation: string): Promise<Inhabited> {
  const needsEvent = OCCURRENCE_OPERATIONS.includes(operation);
  const { examples } = document.components;
  const kind = needsEvent ? "event" : operation === "makeSigningSecret" ? "integration" : null;
  if (kind === null) return world;
  const outgoing = {
    ...examples.CreateIntegration.value,
    integration_type_id: "outgoing_webhook",
    option_webhook_url: "https://example.com/hook",
  };
  const body = asSentBy(world, needsEvent ? examples.CreateEvent.value : outgoing);
  const { body: made, status, text } = await world.api("POST", `/${kind}s`, body);
  expect(status, text).toBe(201);
  return { ...world, ids: { ...world.ids, [kind]: { id: made.id, prefixId: made.prefix_id } } };
}

/** The path with the id of the account's record. */
function pathOf(world: Inhabited, path: string, operation: string): string {
  const { of } = sampleOf(operation.replace(/^patch/, "update"));
  // The body of the example names the other one.
  const id = operation === "mergeAlerts" ? world.otherAlertId : of && world.ids[of].id;
  return path.replace(/\{[a-z_]+\}/, id ?? "");
}

describe("the example of a body", () => {
  const withBody = operations.filter(({ operation }) => operation.requestBody);

  test.each(withBody.map((it) => [it.id, it] as const))("%s is accepted", async (id, it) => {
    // An address belongs to one person only, a name to one filter; a merge ends the alert that others need.
    const world = await withExampleRecord(
      await (/User$|SavedFilter$/.test(id) || id === "mergeAlerts" ? makeWorld() : sharedWorld()),
      id,
    );
    const example = exampleIn(it.operation.requestBody.content["application/json"]);
    const body = asSentBy(world, example);
    const reply = await world.api(it.method, pathOf(world, it.path, id), body);
    const refused = REFUSED[id];
    if (refused) {
      expect(reply.status).toBe(refused.status);
      expect(reply.text).toMatch(refused.message);
    } else expect(reply.status, `${JSON.stringify(body)}\n${reply.text}`).toBeLessThan(300);
  });
});

describe("the examples of a query", () => {
  const withExamples = operations.filter(
    ({ method, operation }) =>
      method === "GET" &&
      operation.parameters.some((it: Json) => withReferences(it, document).in === "query"),
  );

  test("are accepted, each with the required parameters", async () => {
    const plainWorld = await sharedWorld();
    const faults: string[] = [];
    for (const { id, path, operation } of withExamples) {
      const world = await withExampleRecord(plainWorld, id);
      const parameters = operation.parameters
        .map((it: Json) => withReferences(it, document) as Json)
        .filter((it: Json) => it.in === "query");
      const required = parameters.filter((it: Json) => it.required);
      turns += 1;
      for (const parameter of [...selectSome<Json>(parameters, SOME_PARAMETERS, turns), null]) {
        const sent = new URLSearchParams();
        for (const it of new Set([...required, ...(parameter ? [parameter] : [])])) {
          for (const [name, value] of valuesOf(asSentBy(world, it) as Json)) sent.set(name, value);
        }
        // The example of `ops` refers to the filter `created_at`.
        const isFiltered = parameters.some((it: Json) => it.name === "created_at");
        if (parameter?.name === "ops" && !isFiltered) continue;
        if (parameter?.name === "ops") sent.set("created_at", "2026-01-31T09:30:00.000Z");
        const address = `${pathOf(world, path, id)}?${sent}`;
        const reply = await world.api("GET", address);
        if (reply.status !== 200) faults.push(`${id} ${address}: ${reply.text}`);
      }
    }
    expect(faults).toEqual([]);
  });
});

/** A parameter's example as query entries: its own, a default, or a value of its schema. */
function valuesOf({ name, example, schema }: Json): (readonly [string, string])[] {
  const values = example ?? schema.default ?? schema.examples?.[0] ?? schema.enum?.[0];
  if (typeof values === "object" && values !== null) {
    return Object.entries<unknown>(values).map(([key, value]) => [key, String(value)]);
  }
  return values === undefined ? [] : [[name, String(values)]];
}

describe("outside the versioned API", () => {
  const INTAKE_KEY = /3zjm07tb6nq1x9wdc4kavh2erg85spyf/g;
  const others = ["/integration/{id}", "/v2/", "/generic/"];
  const receivers = Object.entries<Json>(document.paths)
    .filter(([path]) => others.some((start) => path.startsWith(start)))
    .flatMap(([path, item]) =>
      Object.entries<Json>(item).map(
        ([method, operation]) =>
          [
            `${method.toUpperCase()} ${path}`,
            { method: method.toUpperCase(), path, operation: operation as Json },
          ] as const,
      ),
    )
    .filter(([, { operation }]) => operation.requestBody);

  test.each(receivers)("the example of %s is accepted", async (_, { method, path, operation }) => {
    const world = await sharedWorld();
    const type = path.startsWith("/v2/alerts") ? "opsgenie" : "pagerduty_events";
    const made = await world.api("POST", "/integrations", {
      name: "Examples",
      urgency: "silent",
      integration_type_id: path.startsWith("/integration/") ? "webhook" : type,
      team_ids: [world.ids.team.id],
    });
    const { prefix_id, intake_key } = made.body;
    const example = JSON.stringify(
      exampleIn(operation.requestBody.content["application/json"]),
    ).replace(INTAKE_KEY, intake_key);
    const parameters = Object.fromEntries(
      operation.parameters.map((it: Json) => [it.name, String(it.example)]),
    );
    const address = path.replace(/\{([a-z_]+)\}/gi, (_, name: string) =>
      path.startsWith("/integration/") ? prefix_id : parameters[name],
    );
    const reply = await call(method, address, {
      body: JSON.parse(example),
      headers: { Authorization: `GenieKey ${intake_key}` },
    });
    expect(reply.status, reply.text).toBeLessThan(300);
  });
});
