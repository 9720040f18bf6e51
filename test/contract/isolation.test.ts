// P6: every read and write is scoped to the key's account. Calls every route with the ids of another account in the
// path, the body and the query, in every form of an id. The records must not be found, no response may contain data
// of the other account, and none of its rows may change.
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PREFIXES, type RecordKind } from "../../src/domain/shared/identifiers.ts";
import { routes } from "../../src/routes.ts";
import type { Reply } from "../support/api/api.ts";
import { type FieldPath, fieldsOf, withField } from "../support/api/body-fields.ts";
import { plain } from "../support/integrations/plain.ts";
import { sampleOf } from "../support/integrations/samples.ts";
import { type Inhabited, makeInhabited, type Pair } from "../support/worker/inhabited.ts";
import { waitUntilIdle } from "../support/worker/quiet.ts";

type Kind = keyof Inhabited["ids"];

let mine: Inhabited;
let theirs: Inhabited;
let before: string;

/** Texts that identify the other account, its records and its people. Integration types belong to no account. */
let traces: readonly string[];

/** All rows that belong to the other account, or to its people. */
async function snapshot(): Promise<string> {
  const { results } = await env.DB.prepare(
    "select name from sqlite_master where type = 'table' and instr(sql, '`account_id`') > 0",
  ).all<{ name: string }>();
  const people = "select user_id from account_users where account_id = ?";
  const selects = [
    ...results.map(({ name }) => `select * from ${name} where account_id = ? order by 1, 2`),
    `select * from users where id in (${people}) order by rowid`,
    `select * from user_emails where user_id in (${people}) order by rowid`,
    `select * from user_phones where user_id in (${people}) order by rowid`,
  ];
  expect(selects.length).toBeGreaterThan(20);
  const rows = await env.DB.batch(
    selects.map((select) => env.DB.prepare(select).bind(theirs.accountId)),
  );
  const sorted = rows.map(({ results: found }) => found.map((row) => JSON.stringify(row)).sort());
  return JSON.stringify(sorted.map((found, i) => [selects[i], found]));
}

/** Notices of shifts and of gaps are sent two minutes after what caused them, while the tests run. */
async function withoutNotices({ accountId }: Inhabited): Promise<void> {
  const people = "select user_id from account_users where account_id = ?";
  await env.DB.batch(
    [
      `update users set shift_notices = 0 where id in (${people})`,
      "update teams set gap_notifications = 'none' where account_id = ?",
    ].map((update) => env.DB.prepare(update).bind(accountId)),
  );
}

beforeAll(async () => {
  mine = await makeInhabited("lighthouse");
  theirs = await makeInhabited("submarine");
  await withoutNotices(theirs);
  const { integration_type: _, ...own } = theirs.ids;
  traces = [
    theirs.word,
    theirs.accountId,
    theirs.accountUserId,
    ...Object.values(own).flatMap(({ id, prefixId }) => [id, prefixId]),
  ];
  await waitUntilIdle();
  before = await snapshot();
});

afterAll(async () => {
  expect(await snapshot()).toBe(before);
});

/** Calls as an admin of one account; of the other account, the response may contain only the text that was sent. */
async function ask(method: string, path: string, sent: string, body?: unknown): Promise<Reply> {
  const reply = await plain(mine, method, path, body === undefined ? {} : { body });
  const shown = reply.text.split(sent).join("");
  for (const trace of traces) expect(shown, `${method} ${path}`).not.toContain(trace);
  return reply;
}

const formsOf = ({ id, prefixId }: Pair) => [id, prefixId, id.toLowerCase()];

const rows = routes.map((route) => [`${route.method} ${route.path}`, route] as const);
/** Operations that do not answer 404: integration types belong to no account, and users cannot be deleted. */
const exempt = new Set(["getIntegrationType", "deleteUser"]);

describe("answers 404 to an id of another account in the path", () => {
  const withIds = rows.filter(
    ([, route]) => route.path.includes(":id") && !exempt.has(route.operation),
  );
  test.each(withIds)("%s", async (_, route) => {
    const { of, query, body } = sampleOf(route.operation);
    for (const id of formsOf(theirs.ids[of as Kind])) {
      const path = `${route.path.replace(":id", id)}${query ? `?${query}` : ""}`;
      const reply = await ask(route.method, path, id, body?.(mine));
      expect(reply.status, `${path} ${reply.text}`).toBe(404);
    }
  });
});

/** The kind of record that a parameter or attribute refers to; null if it refers to none. */
function kindReferencedBy(name: string, list: string): Kind | null {
  if (name === "id") return NESTED[list] ?? null;
  const stem = /^(.*)_ids?$/.exec(name)?.[1];
  if (stem === undefined) return null;
  const named = KINDS.find((kind) => stem === kind || stem.endsWith(`_${kind}`));
  return NAMED[name] ?? named ?? null;
}
const KINDS = (Object.keys(PREFIXES) as RecordKind[]).filter((kind) => kind !== "account");
const NAMED: Readonly<Record<string, Kind>> = {
  parent_id: "event",
  commentable_id: "alert",
  integration_type_id: "integration_type",
};
const NESTED: Readonly<Record<string, Kind>> = {
  emails_attributes: "email",
  phones_attributes: "phone",
  escalation_layers_attributes: "escalation_layer",
  broadcast_response_options_attributes: "broadcast_response_option",
  router: "router",
};

/** Not identifiers: they say whether one is enough. */
const FLAGS = ["accepts_id", "integrations_by_id"];

/** Parameters that end in `_id` without referring to a record of the account. */
const NOT_REFERENCES = new Set([
  "thirdparty_id",
  "integration_type_id",
  "accepts_id",
  "integrations_by_id",
]);

function kindReferencedAt(path: FieldPath): Kind | null {
  const names = path.filter((part): part is string => part !== 0);
  const name = names.at(-1) ?? "";
  if (NOT_REFERENCES.has(name) || path.at(-1) === 0) return null;
  const kind = kindReferencedBy(name, names.at(-2) ?? "");
  if (kind === null && /_ids?$/.test(name)) throw new Error(`${name} names no kind of record`);
  return kind;
}

describe("answers 422 to an id of another account in the body", () => {
  // PATCH routes have the bodies of their PUT routes.
  const withBodies = rows.filter(([, { body, method }]) => body && method !== "PATCH");
  const identifiers = withBodies.flatMap(([, { body }]) =>
    fieldsOf(body).filter((field) => kindReferencedAt(field) !== null),
  );

  test("finds the parameters that refer to records", () => {
    const names = new Set(identifiers.map((field) => field.join(".")));
    expect(names.size).toBeGreaterThan(25);
    for (const name of ["destination_team_ids", "user_attributes.emails_attributes.0.id"]) {
      expect(names).toContain(name);
    }
  });

  test.each(withBodies)("%s", async (_, route) => {
    const { of, body } = sampleOf(route.operation);
    const path = route.path.replace(":id", of ? mine.ids[of].id : "");
    for (const field of fieldsOf(route.body)) {
      const kind = kindReferencedAt(field);
      if (kind === null) continue;
      const name = String(field.at(-1));
      for (const id of formsOf(theirs.ids[kind])) {
        const value = name.endsWith("_ids") ? [id] : id;
        const sent = withField(withoutLists(body?.(mine)), field, value);
        const reply = await ask(route.method, path, id, sent);
        expect(reply.status, `${path} ${JSON.stringify(sent)} ${reply.text}`).toBe(422);
        const faults = reply.body.errors.map((error: { field: string }) => error.field);
        expect(faults.join(), JSON.stringify(sent)).toContain(name);
      }
    }
  });

  /** Removes nested lists: `withField` would add the id to an element of the sample. */
  function withoutLists(sample: Record<string, unknown> = {}) {
    return Object.fromEntries(Object.entries(sample).filter(([name]) => !(name in NESTED)));
  }
});

describe("answers an empty list to an id of another account in the query", () => {
  const lists = rows.filter(
    ([, { method, operation }]) => method === "GET" && /^list/.test(operation),
  );
  const withRows = lists.filter(
    ([, { operation }]) =>
      ![
        ...["listIntegrationTypes", "listTimeZones", "listScheduleWindowEvents"],
        ...["listHolidays", "listHolidayRegions", "listAccountUserWindowEvents"],
      ].includes(operation),
  );
  test.each(withRows)("%s", async (_, route) => {
    const { of } = sampleOf(route.operation);
    const path = route.path.replace(":id", of ? mine.ids[of].id : "");
    const refused = await ask("GET", `${path}?nothing=1`, "");
    const message: string = refused.body.errors[0].message;
    const attributes = message.slice(message.indexOf(" are ") + 5).split(", ");
    expect(attributes).toContain("prefix_id");
    for (const name of attributes.filter((it) => /(^|_)ids?$/.test(it) && !FLAGS.includes(it))) {
      const ids = idsFor(name);
      for (let at = 0; at < ids.length; at += 20) {
        const some = new URLSearchParams(ids.slice(at, at + 20).map((id) => [name, id]));
        const reply = await ask("GET", `${path}?${some}`, "");
        expect(reply.body, `${path}?${some}`).toEqual(emptyList);
      }
    }
    const searched = await ask("GET", `${path}?q=${theirs.word}`, "");
    expect(searched.body).toEqual(emptyList);
    await ask("GET", `${path}?limit=100`, "");
  });

  const emptyList = { data: [], has_more: false, total_count: 0 };

  /** The ids of the other account that a filter on an attribute could find. */
  function idsFor(name: string): string[] {
    const all = Object.values(theirs.ids);
    if (name === "thirdparty_id" || name === "integration_type_id") return [];
    if (name === "account_id") return [theirs.accountId];
    if (name === "id") return all.map((pair) => pair.id);
    if (name === "prefix_id") return all.map((pair) => pair.prefixId);
    const kind = kindReferencedBy(name, "");
    return kind ? formsOf(theirs.ids[kind]) : all.flatMap((pair) => [pair.id, pair.prefixId]);
  }

  test("lists shared by all accounts contain nothing of another account", async () => {
    for (const path of [
      "/integration_types?limit=100",
      "/events/time_zones",
      "/holidays/regions",
    ]) {
      expect((await ask("GET", path, "")).status).toBe(200);
    }
  });
});
