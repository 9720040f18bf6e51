// Filters (contract 1, Lists): every shown attribute of every resource with every
// operation returns what a filter in memory leaves of the same rows.
import { beforeAll, describe, expect, test } from "vitest";
import type { AnyAttribute } from "../../../src/db/records/attributes.ts";
import { OPERATIONS, type Operation } from "../../../src/db/records/condition.ts";
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

/** What is compared: numbers for numbers, flags and instants, texts for the rest. */
function comparable(attribute: AnyAttribute, value: unknown): number | string {
  if (attribute.kind === "instant") return Date.parse(String(value));
  if (attribute.kind === "number") return Number(value);
  if (attribute.kind === "boolean") return String(value) === "true" ? 1 : 0;
  return String(value);
}

/** The table of operations in contract 1, Lists, on a value as the record shows it. */
function meets(
  attribute: AnyAttribute,
  shown: unknown,
  operation: Operation,
  text: string,
): boolean {
  if (operation === "ne") return !meets(attribute, shown, "equals", text);
  if (Array.isArray(shown)) {
    const one = operation === "contains" ? "equals" : operation;
    return shown.some((element) => meets({ ...attribute, kind: "string" }, element, one, text));
  }
  if (shown === null) return false;
  const held = comparable(attribute, shown);
  const [low = "", high = ""] = text.split("..");
  const given = operation === "between" ? "" : comparable(attribute, text);
  switch (operation) {
    case "equals":
      return held === given;
    case "lt":
      return held < given;
    case "lte":
      return held <= given;
    case "gt":
      return held > given;
    case "gte":
      return held >= given;
    case "beginsWith":
      return String(held).startsWith(text);
    case "contains":
      return String(held).includes(text);
    case "between":
      return held >= comparable(attribute, low) && held <= comparable(attribute, high);
  }
}

/** A value that some row has, or, for an attribute that is null everywhere, one that none has. */
function valueFor(attribute: AnyAttribute, rows: readonly Row[], name: string): string {
  const values = rows.flatMap((row) => row[name]).filter((value) => value !== null);
  const distinct = [...new Set(values.map(String))].filter((value) => value !== "").sort();
  const none = { instant: "2026-01-01T00:00:00Z", number: "1", boolean: "true" } as const;
  return (
    distinct[Math.floor(distinct.length / 2)] ?? none[attribute.kind as keyof typeof none] ?? "x"
  );
}

function textFor(operation: Operation, value: string, isText: boolean): string {
  if (operation === "between") return `${value}..${value}`;
  if (operation === "beginsWith" && isText) return value.slice(0, 3);
  if (operation === "contains" && isText) return value.slice(1, 4) || value;
  return value;
}

/** Each list's rows are read once; nothing here writes. */
const held = new Map<string, Promise<readonly Row[]>>();
function rowsOf(address: string): Promise<readonly Row[]> {
  const read = async () => (await plain(world, "GET", `${address}?limit=100`)).body.data;
  const rows = held.get(address) ?? read();
  held.set(address, rows);
  return rows;
}

const ORDERED = ["instant", "number", "boolean"];

/** Every operation at full size; else some on each attribute, others on the next. */
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
      selectSome(OPERATIONS, 3, turns).map(async (operation) => {
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

describe("beyond one attribute and one operation", () => {
  const ids = async (path: string): Promise<string[]> => {
    const { status, body, text } = await world.api("GET", path);
    expect(status, text).toBe(200);
    return body.data.map((row: Row) => row.id);
  };

  test("several filters narrow each other, several values of one are alternatives", async () => {
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

  test("entries of hashes are filtered by their names", async () => {
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

  test("an empty value means that there is none", async () => {
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
      ["/integrations", "team_ids", world.ids.team],
      ["/integrations", "integration_type_id", world.ids.integration_type],
      ["/comments", "commentable_id", world.ids.alert],
      ["/broadcasts", "destination_team_ids", world.ids.team],
      ["/maintenance_windows", "integration_ids", world.ids.integration],
      ["/notifications", "alert_id", world.ids.alert],
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

  test("at most twenty values: more than a statement of D1 can take is refused in time", async () => {
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
