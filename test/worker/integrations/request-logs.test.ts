// The rows of request logs: how many are written, and that each step is written once, in any order.
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { prefixIdOf } from "../../../src/domain/shared/identifiers.ts";
import { selectUnprojected } from "../../../src/features/alerts/object/sweep-rows.ts";
import {
  type RequestLog,
  writeRequestLogs,
} from "../../../src/features/integrations/inbox/request-log-rows.ts";
import { logs } from "../../../src/features/schema/alerts.ts";
import { statement } from "../../../src/kernel/db/database.ts";
import { newDatedId } from "../../../src/kernel/db/identifiers.ts";
import { all } from "../../../src/kernel/db/select.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";

let account: Account;
let logId: string;
let now: number;
beforeEach(async () => {
  account = await makeAccount();
  now = Date.now();
  logId = newDatedId(now);
});

const INTEGRATION = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

const event = (position: number, change: Partial<RequestLog> = {}): RequestLog => ({
  ...{ logId, position, acceptedAt: now, settledAt: now + position, level: "info" },
  ...{ request: '{"method":"POST"}', outcome: `event ${position}`, alertId: null },
  ...change,
});

async function write(...events: RequestLog[]): Promise<number> {
  const queries = writeRequestLogs(account.accountId, INTEGRATION, events, now);
  const results = await env.DB.batch(queries.map((query) => statement(env.DB, query)));
  return results.reduce((sum, { meta }) => sum + meta.rows_written, 0);
}

const stepsOf = async (id = logId) => {
  const { body, text, status } = await account.api("GET", `/logs/${id}`);
  expect(status, text).toBe(200);
  return body.details.sublogs.map((step: { message: string }) => step.message);
};

test("writes a row and an index entry for each request, and deletes one row", async () => {
  const others = [1, 2].map(() => event(0, { logId: newDatedId(now) }));
  expect(await write(event(0), event(1), ...others)).toBe(6);
  const deletion = sql`delete from ${logs} where ${logs.accountId} = ${account.accountId}
    and ${logs.id} = ${logId}`;
  expect((await statement(env.DB, deletion).run()).meta.rows_written).toBe(1);
});

describe("a step", () => {
  test("that settles later is added once, even if it is written twice", async () => {
    await write(event(0));
    await write(event(2));
    await write(event(1));
    await write(event(1), event(2));
    await write(event(0));
    expect(await stepsOf()).toEqual(["event 0", "event 1", "event 2"]);
  });

  test("that settles before an earlier one has its place after it", async () => {
    const [one, other] = [newDatedId(now), newDatedId(now)];
    await write(event(2, { alertId: one, level: "warn" }));
    expect(await stepsOf()).toEqual(["event 2"]);
    await write(event(0, { alertId: other }));
    expect(await stepsOf()).toEqual(["event 0", "event 2"]);
    const { body } = await account.api("GET", `/logs/${logId}`);
    expect(body).toMatchObject({
      level: "info",
      details: { message: "event 0", request: { method: "POST" } },
    });
    const row = await env.DB.prepare("select alert_id from logs where id = ?").bind(logId).first();
    expect(row).toEqual({ alert_id: other });
    await write(event(1, { alertId: one }));
    const { body: after } = await account.api("GET", `/logs/${logId}`);
    expect(after.details.message).toBe("event 0");
  });

  test("does not replace the one that was written first", async () => {
    await write(event(0, { outcome: "Created alert" }));
    await write(event(0, { outcome: "Counted on alert" }));
    expect(await stepsOf()).toEqual(["Created alert"]);
    expect((await account.api("GET", `/logs/${logId}`)).body.details.message).toBe("Created alert");
  });
});

test("each step names its own alert, whatever the others' are and whenever they settle", async () => {
  const [one, other] = [newDatedId(now), newDatedId(now)];
  await write(event(2, { alertId: one }), event(3));
  await write(event(0, { alertId: other }));
  await write(event(1, { alertId: other }));
  const { sublogs } = (await account.api("GET", `/logs/${logId}`)).body.details;
  const named = sublogs.map((it: { alert_id?: string }) => it.alert_id);
  expect(named).toEqual([other, other, one, undefined]);
});

test("the alerts of all steps are found if D1 never got them", async () => {
  const [one, other] = [newDatedId(now), newDatedId(now)];
  const then = now - 120_000;
  const old = { logId: newDatedId(then), acceptedAt: then };
  await write(event(0, { ...old, alertId: one }), event(1, { ...old, alertId: other }));
  const found = await all(env.DB, selectUnprojected(now, 1_000));
  const names = found.map((it) => it.name);
  expect(names).toEqual(
    expect.arrayContaining([prefixIdOf("alert", one), prefixIdOf("alert", other)]),
  );
});
