// The cost of a page does not depend on the size of the table: for a page without a filter, and for a page of alerts
// with a status, D1 reads as many rows from a table with thousands of rows as from one with a hundred.
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { prefixIdOf, type RecordKind } from "../../../src/domain/shared/identifiers.ts";
import { foldDestinations } from "../../../src/features/alerts/alerts/destination-totals.ts";
import { readMemberRemovals } from "../../../src/features/change/member-removal-rows.ts";
import { alerts, logs } from "../../../src/features/schema/alerts.ts";
import { build, statement } from "../../../src/kernel/db/database.ts";
import { foldTotal } from "../../../src/kernel/db/folded-totals.ts";
import { newId } from "../../../src/kernel/db/identifiers.ts";
import { shownLists } from "../../support/api/shown-lists.ts";
import { sized } from "../../support/generated/sizes.ts";
import { type Inhabited, makeInhabited } from "../../support/worker/inhabited.ts";

const FEW = 200;
const MANY = sized(5_000, 20_000);
const AT_A_TIME = 5_000;

/** The table of each list of an account; a list without a row here fails. */
const TABLES: Readonly<Record<string, string>> = {
  "/absences": "absences",
  "/absence_calendars": "absence_calendars",
  "/alerts": "alerts",
  "/account_users": "account_users",
  "/api_keys": "api_keys",
  "/broadcasts": "broadcasts",
  "/bulk_operations": "bulk_operations",
  "/calendar_imports": "calendar_imports",
  "/comments": "comments",
  "/company_holidays": "company_holidays",
  "/deliveries": "deliveries",
  "/escalation_policies": "escalation_policies",
  "/events": "events",
  "/feeds": "calendar_feeds",
  "/integrations": "integrations",
  "/logs": "logs",
  "/maintenance_windows": "maintenance_windows",
  "/notification_rules": "notification_rules",
  "/routers": "routers",
  "/schedules": "schedules",
  "/teams": "teams",
  "/users": "account_users",
};
/** Lists of only the caller's own records, at most twenty or fifty: their tables and kinds. */
const OWN_ONLY = [
  ["push_subscriptions", "push_subscription"],
  ["channel_addresses", "channel_address"],
  ["chat_accounts", "chat_account"],
  ["saved_filters", "saved_filter"],
] as const;
/** Counted at each reading: an account has few drills, because admins start them, three an hour. */
const COUNTED = "/drills";
const topLevel = shownLists.filter(
  ({ path }) =>
    !path.includes(":id") && !OWN_ONLY.some(([table]) => path === `/${table}`) && path !== COUNTED,
);

/** Users and account users are the same rows, so their lists are measured in different accounts. */
let worlds: { readonly users: Inhabited; readonly others: Inhabited };
/** The creation time of the newest copy (epoch ms); each copy is 1 ms newer than the previous one. */
let latest = Date.now() + 60_000;

type Copy = { readonly id: string; readonly prefixId: string; readonly at: number };

function newCopies(kind: RecordKind, count: number): Copy[] {
  return Array.from({ length: count }, () => {
    latest += 1;
    const id = newId(latest);
    return { id, prefixId: prefixIdOf(kind, id), at: latest };
  });
}

/** Columns whose values differ between copies; all others are copied from the original. */
const UNIQUE_COLUMNS: Readonly<Record<string, string>> = {
  id: "it.value ->> 'id'",
  prefix_id: "it.value ->> 'prefixId'",
  created_at: "it.value ->> 'at'",
  key_hash: "it.value ->> 'id'",
  secret_hash: "it.value ->> 'id'",
  endpoint: "it.value ->> 'id'",
  effect_id: "it.value ->> 'id'",
  chat_user_id: "it.value ->> 'id'",
};

async function insertCopies(
  table: string,
  original: string,
  copies: readonly Copy[],
  unique = UNIQUE_COLUMNS,
) {
  // Without computed columns.
  const { results } = await env.DB.prepare(`pragma table_info(${table})`).all<{ name: string }>();
  const names = results.map(({ name }) => name);
  expect(names, table).toContain("id");
  const values = names.map((name) => unique[name] ?? `t."${name}"`);
  await env.DB.prepare(
    `insert into ${table} (${names.map((name) => `"${name}"`).join()})
      select ${values.join()} from ${table} t, json_each(?1) it where t.id = ?2`,
  )
    .bind(JSON.stringify(copies), original)
    .run();
}

const UNIQUE_COLUMNS_OF_PERSON = {
  ...UNIQUE_COLUMNS,
  user_id: "it.value ->> 'id'",
  email: "(it.value ->> 'id') || '@example.com'",
};

async function insertPeople({ ids }: Inhabited, members: readonly Copy[]): Promise<void> {
  const as = (kind: RecordKind) =>
    members.map((copy) => ({ ...copy, prefixId: prefixIdOf(kind, copy.id) }));
  await insertCopies("users", ids.user.id, as("user"));
  await insertCopies("user_emails", ids.email.id, as("email"), UNIQUE_COLUMNS_OF_PERSON);
}

/** Inserts copies of the alert for a team and a person: twenty open ones, and resolved ones. */
async function insertAlerts({ ids }: Inhabited, copies: readonly Copy[]): Promise<void> {
  const destinations = [ids.team.id, ids.account_user.id];
  const isOpen = "it.key < 20 and (select count(*) from alerts where status = 'open') < 20";
  await insertCopies("alerts", ids.alert.id, copies, {
    ...UNIQUE_COLUMNS,
    status: `iif(${isOpen}, 'open', 'resolved')`,
    destination_account_user_ids: `json_array('${ids.account_user.id}')`,
  });
  await env.DB.prepare(
    `insert into alert_destinations
      select account_id, named.value, it.value ->> 'id', 1
        from alerts, json_each(?1) as it, json_each(?2) as named where alerts.id = ?3`,
  )
    .bind(JSON.stringify(copies), JSON.stringify(destinations), ids.alert.id)
    .run();
}

/** Inserts the log of a request; returns its id. */
async function insertLog({ accountId, ids }: Inhabited): Promise<string> {
  const [log] = newCopies("log", 1) as [Copy];
  const { id, prefixId, at: createdAt } = log;
  const row = { id, prefixId, accountId, createdAt, updatedAt: createdAt, level: "info" } as const;
  const owner = { ownerType: "Integration", ownerId: ids.integration.id, message: "Noted" };
  await statement(env.DB, build.insert(logs).values({ ...row, ...owner })).run();
  return id;
}

/** Inserts copies of a record; for each copy of a membership also a person. */
async function multiply(world: Inhabited, table: string, kind: RecordKind, count: number) {
  const isLog = table === "logs";
  const original = isLog ? await insertLog(world) : world.ids[kind as keyof Inhabited["ids"]].id;
  for (let left = count; left > 0; left -= AT_A_TIME) {
    const copies = newCopies(kind, Math.min(left, AT_A_TIME));
    if (table === "alerts") {
      await insertAlerts(world, copies);
      continue;
    }
    const members = table === "account_users";
    if (members) await insertPeople(world, copies);
    await insertCopies(
      table,
      original,
      copies,
      members ? UNIQUE_COLUMNS_OF_PERSON : UNIQUE_COLUMNS,
    );
  }
}

/**
 * The number of rows that D1 reads for a request.
 *
 * @param marker what only the statements of such a request contain
 */
async function rowsReadBy(world: Inhabited, path: string, marker: string) {
  const session = Object.getPrototypeOf(env.DB.withSession());
  const batch = session.batch;
  let read = 0;
  const spy = vi.spyOn(session, "batch").mockImplementation(async function (
    this: unknown,
    ...given: unknown[]
  ) {
    const results = await batch.apply(this, given);
    // Excludes batches of other requests in the runtime.
    const isPage = JSON.stringify(given[0]).includes(marker);
    if (isPage) for (const { meta } of results) read += meta.rows_read;
    return results;
  });
  const reply = await world.api("GET", path);
  spy.mockRestore();
  expect(reply.status, reply.text).toBe(200);
  expect(read).toBeGreaterThan(9);
  return { read, body: reply.body };
}

/** The number of rows that D1 reads for all statements of a list request. */
async function rowsRead(world: Inhabited, path: string): Promise<number> {
  const { read, body } = await rowsReadBy(world, path, " offset ?");
  expect((body.data ?? body.progress).length).toBe(10);
  return read;
}

/** The lists of alerts whose pages cost the same, however many alerts there are. */
function alertLists({ ids }: Inhabited): string[] {
  const queries = [
    ...["", "?status=open", "?status=resolved", "?limit=10&page=2"],
    ...["?status=open&status=acknowledged", "?status=resolved&ops=status:ne"],
    ...[`?destination_team_ids=${ids.team.id}`, `?destination_team_ids=${ids.team.prefixId}`],
    `?destination_account_user_ids=${ids.account_user.id}`,
    "?sort=attention&status=resolved&ops=status:ne",
    "?scope=my_teams&status=resolved&ops=status:ne",
  ];
  return [
    ...queries.map((query) => `/alerts${query}`),
    `/teams/${ids.team.id}/alerts`,
    "/alerts/overview?sort=attention&status=resolved&ops=status:ne",
  ];
}

/** Folds the totals, as writers do now and then: here all rows are written at once. */
async function fold({ accountId, ids }: Inhabited): Promise<void> {
  const until = latest + 120_000;
  const folds = [
    ...[alerts, logs].map((table) => foldTotal(table, accountId, until)),
    foldDestinations(accountId, [ids.team.id, ids.account_user.id], until),
  ];
  await env.DB.batch(folds.map((query) => statement(env.DB, query)));
}

beforeAll(async () => {
  worlds = { users: await makeInhabited("budget"), others: await makeInhabited("budgets") };
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe(`a page reads as many rows from a table of ${MANY} rows as of ${FEW}`, () => {
  test.each(topLevel.map((list) => [list.path, list] as const))(
    "%s",
    { timeout: 120_000 + MANY * 2 },
    async (path, list) => {
      const table = TABLES[path] as string;
      expect(table, `${path} has no row in TABLES`).toBeDefined();
      const lists = path === "/alerts" ? alertLists(worlds.others) : [path];
      const kind = path === "/users" ? "account_user" : (list.kind as RecordKind);
      const world = path === "/users" ? worlds.users : worlds.others;
      const existing = (await world.api("GET", path)).body.total_count;
      await multiply(world, table, kind, Math.max(0, FEW - existing));
      await fold(world);
      const few = [];
      for (const list of lists) few.push(await rowsRead(world, list));
      await multiply(world, table, kind, MANY - FEW);
      await fold(world);
      const many = [];
      for (const list of lists) many.push(await rowsRead(world, list));
      expect((await world.api("GET", path)).body.total_count).toBeGreaterThanOrEqual(MANY);
      // Logs are two tables: where a page's rows come from differs by a few.
      if (path === "/logs") expect(Math.abs(Number(many[0]) - Number(few[0]))).toBeLessThan(10);
      else expect(many).toEqual(few);
    },
  );
});

test.each(OWN_ONLY)(
  "a page of own %s reads as many rows, however many other people have",
  async (table, kind) => {
    const world = worlds.others;
    const original = world.ids[kind].id;
    const columns = {
      ...UNIQUE_COLUMNS,
      ...(kind === "saved_filter" && { name: "it.value ->> 'id'" }),
    };
    await insertCopies(table, original, newCopies(kind, 15), columns);
    const alone = await rowsRead(world, `/${table}`);
    const somebodyElse = { ...columns, account_user_id: `'${world.ids.account_user.id}'` };
    await insertCopies(table, original, newCopies(kind, FEW), somebodyElse);
    // One more: the scan ends at the first row of the next person.
    expect(await rowsRead(world, `/${table}`)).toBeLessThanOrEqual(alone + 1);
  },
);

test("what is like an alert reads a bounded number of rows, however many alerts its team has", async () => {
  const world = worlds.others;
  const read = () => rowsReadBy(world, `/alerts/${world.ids.alert.id}/similar`, "as near");
  await multiply(world, "alerts", "alert", 1_000);
  const few = await read();
  expect(few.body).toMatchObject({ count: 500, complete: false });
  await multiply(world, "alerts", "alert", 2_000);
  const many = await read();
  expect(many.read).toBe(few.read);
  expect(many.read).toBeLessThan(5_000);
});

test("a removed person's open alerts cost as many rows, however many alerts are resolved", async () => {
  const { accountId } = worlds.others;
  const removed = env.DB.prepare(
    "insert or ignore into member_removals (id, account_id, name) values (?, ?, 'Gone')",
  ).bind(newId(latest), accountId);
  const read = async () => {
    await removed.run();
    let rows = 0;
    const all = async (text: string, values: readonly unknown[]) => {
      const answer = await env.DB.prepare(text)
        .bind(...values)
        .all();
      rows += answer.meta.rows_read;
      return answer;
    };
    const prepare = (text: string) => ({
      bind: (...it: unknown[]) => ({ all: () => all(text, it) }),
    });
    const found = await readMemberRemovals({ ...env.DB, prepare } as never, accountId, 20);
    expect(found).toMatchObject([{ name: "Gone", alerts: [] }]);
    return rows;
  };
  await multiply(worlds.others, "alerts", "alert", FEW);
  const few = await read();
  await multiply(worlds.others, "alerts", "alert", 1_000);
  expect(await read()).toBe(few);
});
