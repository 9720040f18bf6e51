// Filters (contract 1, Lists): for every shown attribute of every resource and every operation, the answer equals the
// same rows filtered in memory.
import { beforeAll, describe, expect, test } from "vitest";
import type { AnyAttribute } from "../../../src/kernel/db/attributes.ts";
import { type FilterOperation, OPERATIONS } from "../../../src/kernel/db/condition.ts";
import { makeVaried } from "../../support/alerts/varied.ts";
import { addressOf, isFilterable, listsOfEachKind } from "../../support/api/shown-lists.ts";
import { selectSome } from "../../support/generated/sizes.ts";
import { plain } from "../../support/integrations/plain.ts";
import type { Inhabited } from "../../support/worker/inhabited.ts";

type Row = Readonly<Record<string, unknown>> & { readonly id: string };

let world: Inhabited;
beforeAll(async () => {
  world = await makeVaried("filters");
});

/** The value to compare: a number for numbers, booleans and instants, otherwise a string. */
function comparable(attribute: AnyAttribute, value: unknown): number | string {
  if (attribute.kind === "instant") return Date.parse(String(value));
  if (attribute.kind === "number") return Number(value);
  if (attribute.kind === "boolean") return String(value) === "true" ? 1 : 0;
  return String(value);
}

/** Applies the table of operations in contract 1, Lists, to a value as the record shows it. */
function meets(
  attribute: AnyAttribute,
  shown: unknown,
  operation: FilterOperation,
  text: string,
): boolean {
  if (operation === "ne") return !meets(attribute, shown, "equals", text);
  if (Array.isArray(shown)) {
    const one = operation === "contains" ? "equals" : operation;
    return shown.some((element) => meets({ ...attribute, kind: "string" }, element, one, text));
  }
  if (shown === null) return false;
  const actual = comparable(attribute, shown);
  const [low = "", high = ""] = text.split("..");
  const given = operation === "between" ? "" : comparable(attribute, text);
  switch (operation) {
    case "equals":
      return actual === given;
    case "lt":
      return actual < given;
    case "lte":
      return actual <= given;
    case "gt":
      return actual > given;
    case "gte":
      return actual >= given;
    case "beginsWith":
      return String(actual).startsWith(text);
    case "contains":
      return String(actual).includes(text);
    case "between":
      return actual >= comparable(attribute, low) && actual <= comparable(attribute, high);
  }
}

/** A value of some row or, if the attribute is null in every row, a value of none. */
function valueFor(attribute: AnyAttribute, rows: readonly Row[], name: string): string {
  const values = rows.flatMap((row) => row[name]).filter((value) => value !== null);
  const distinct = [...new Set(values.map(String))].filter((value) => value !== "").sort();
  const none = { instant: "2026-01-01T00:00:00Z", number: "1", boolean: "true" } as const;
  return (
    distinct[Math.floor(distinct.length / 2)] ?? none[attribute.kind as keyof typeof none] ?? "x"
  );
}

function textFor(operation: FilterOperation, value: string, isText: boolean): string {
  if (operation === "between") return `${value}..${value}`;
  if (operation === "beginsWith" && isText) return value.slice(0, 3);
  if (operation === "contains" && isText) return value.slice(1, 4) || value;
  return value;
}

/** The rows of each list are read once, since no test here writes. */
const readRows = new Map<string, Promise<readonly Row[]>>();
function rowsOf(address: string): Promise<readonly Row[]> {
  const read = async () => (await plain(world, "GET", `${address}?limit=100`)).body.data;
  const rows = readRows.get(address) ?? read();
  readRows.set(address, rows);
  return rows;
}

const ORDERED = ["instant", "number", "boolean"];

/** All operations at full size; else a different selection for each attribute. */
let turns = 0;

describe.each(listsOfEachKind.map((list) => [list.path, list] as const))("%s", (_, list) => {
  const names = Object.entries(list.attributes)
    .filter(([, attribute]) => isFilterable(attribute))
    .map(([name]) => name);

  test.each(names)("%s", async (name) => {
    const attribute = list.attributes[name] as AnyAttribute;
    const address = addressOf(list, world);
    const rows = await rowsOf(address);
    expect(rows.length, "rows to filter").toBeGreaterThan(list.path.includes(":id") ? 0 : 3);
    const value = valueFor(attribute, rows, name);
    turns += 1;
    await Promise.all(
      selectSome(OPERATIONS, 2, turns).map(async (operation) => {
        const isText = attribute.kind === "string";
        const text = textFor(operation, value, isText);
        const query = new URLSearchParams({
          [name]: text,
          ops: `${name}:${operation}`,
          limit: "100",
        });
        const reply = await plain(world, "GET", `${address}?${query}`);
        const textOnly = operation === "beginsWith" || operation === "contains";
        if (textOnly && ORDERED.includes(attribute.kind)) {
          expect(reply.status, `${query}`).toBe(422);
          return;
        }
        const expected = rows.filter((row) => meets(attribute, row[name], operation, text));
        expect(reply.status, `${query} ${reply.text}`).toBe(200);
        expect(
          reply.body.data.map(({ id }: Row) => id),
          `${query}`,
        ).toEqual(expected.map(({ id }) => id));
        expect(reply.body.total_count, `${query}`).toBe(expected.length);
      }),
    );
  });
});

describe("combined and special filters", () => {
  const ids = async (path: string): Promise<string[]> => {
    const { status, body, text } = await world.api("GET", path);
    expect(status, text).toBe(200);
    return body.data.map((row: Row) => row.id);
  };

  test("filters are combined with AND, several values of one attribute with OR", async () => {
    const { body } = await world.api("GET", "/alerts?limit=100");
    const expected = (matches: (row: any) => boolean) =>
      body.data.filter(matches).map((row: Row) => row.id);
    const shared = expected((it) => it.tags.includes("shared") && it.urgency === "low");
    expect(shared.length).toBeGreaterThan(0);
    expect(await ids("/alerts?tags=shared&urgency=low&limit=100")).toEqual(shared);
    const two = expected((it) => it.urgency === "low" || it.urgency === "critical");
    expect(await ids("/alerts?urgency=low&urgency=critical&limit=100")).toEqual(two);
    expect(await ids("/alerts?urgency[]=low&urgency[]=critical&limit=100")).toEqual(two);
    const neither = expected((it) => it.urgency !== "low" && it.urgency !== "critical");
    expect(await ids("/alerts?urgency=low&urgency=critical&ops=urgency:ne&limit=100")).toEqual(
      neither,
    );
  });

  test("two operations on one attribute make a range", async () => {
    const range = new URLSearchParams([
      ["start_datetime", "2026-02-01 00:00:00"],
      ["start_datetime", "2026-03-31 00:00:00"],
      ["ops", "start_datetime:gte,start_datetime:lte"],
    ]);
    const { body } = await world.api("GET", `/events?${range}`);
    expect(body.data.map((it: Row) => String(it.start_datetime).slice(0, 7)).sort()).toEqual([
      "2026-02",
      "2026-03",
    ]);
  });

  test("hashes are filtered by their entries", async () => {
    expect(await ids("/alerts?meta.incident=true")).toHaveLength(1);
    expect(await ids("/alerts?meta.incident_severity=SEV-2")).toHaveLength(1);
    expect(await ids("/account_users?meta.floor=3")).toHaveLength(1);
    expect(await ids("/account_users?meta.remote=true")).toHaveLength(1);
    expect(await ids("/account_users?roles.billing=true")).toHaveLength(1);
    expect(await ids("/account_users?user.name=alpha")).toHaveLength(1);
    for (const odd of ['meta."', "meta.\\", "meta.$.a", "meta.a]", "meta.\0"]) {
      expect(await ids(`/alerts?${new URLSearchParams({ [odd]: "x" })}`), odd).toEqual([]);
    }
  });

  test("an empty value matches null", async () => {
    const { body } = await world.api("GET", "/alerts?limit=100");
    const without = body.data.filter((it: Row) => it.description === null);
    expect(without.length).toBeGreaterThan(0);
    expect(await ids("/alerts?description=&limit=100")).toEqual(without.map((it: Row) => it.id));
  });

  test("references are found by either form of an id", async () => {
    for (const [path, name, pair] of [
      ["/alerts", "destination_team_ids", world.ids.team],
      ["/teams", "member_account_user_ids", world.ids.account_user],
      ["/teams", "schedule_id", world.ids.schedule],
      ["/teams", "escalation_policy_id", world.ids.escalation_policy],
      ["/escalation_policies", "team_ids", world.ids.team],
      ["/escalation_policies", "reassign_team_ids", world.ids.team],
      ["/account_users", "team_ids", world.ids.team],
      ["/account_users", "notification_rule_id", world.ids.notification_rule],
      ["/events", "schedule_ids", world.ids.schedule],
      ["/absences", "covering_account_user_id", world.ids.account_user],
      ["/absences", "schedule_ids", world.ids.schedule],
      ["/absences", "account_user_ids", world.ids.account_user],
      ["/integrations", "team_ids", world.ids.team],
      ["/integrations", "integration_type_id", world.ids.integration_type],
      ["/comments", "commentable_id", world.ids.alert],
      ["/broadcasts", "destination_team_ids", world.ids.team],
      ["/maintenance_windows", "integration_ids", world.ids.integration],
      ["/logs", "owner_id", world.ids.alert],
      ["/routers", "default_receiver_team_id", world.ids.team],
      ["/api_keys", "account_user_id", { id: world.accountUserId, prefixId: null }],
    ] as const) {
      const found = await ids(`${path}?${name}=${pair.id}`);
      expect(found.length, `${path} ${name}`).toBeGreaterThan(0);
      if (pair.prefixId === null) continue;
      expect(await ids(`${path}?${name}=${pair.prefixId}`), `${path} ${name}`).toEqual(found);
    }
  });

  test("at most twenty values are accepted, which one statement of D1 can take", async () => {
    const many = (count: number) => Array.from({ length: count }, () => "meta.a=b").join("&");
    for (const list of listsOfEachKind) {
      const address = addressOf(list, world);
      const holder = list.attributes.meta ? "meta.a" : "id";
      const query = many(20).replaceAll("meta.a", holder);
      expect((await world.api("GET", `${address}?${query}`)).status, address).toBe(200);
    }
    expect((await world.api("GET", `/alerts?${many(21)}`)).status).toBe(422);
  });
});
