// What an alert's life writes and reads in D1 is counted, statement by statement: its price. It does
// not grow with the number of alerts that an account has, open or ended, of the same minute or not.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { foldDestinations } from "../../../src/features/alerts/alerts/destination-totals.ts";
import { alerts } from "../../../src/features/schema/alerts.ts";
import { foldTotal } from "../../../src/kernel/db/folded-totals.ts";
import { newDatedId } from "../../../src/kernel/db/identifiers.ts";
import { countRows, rowsReadBy } from "../../support/alerts/planned.ts";
import { outboxOf, storedAlert } from "../../support/alerts/stored-alert.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { notePageSent } from "../../support/people/first-page.ts";
import { openMailbox } from "../../support/providers/mailbox.ts";
import { alertStub, soon } from "../../support/worker/faults.ts";
import { untilQuiet } from "../../support/worker/round-trips.ts";
import { makePerson, makeTeam } from "../../support/worker/world.ts";

/** An alert's row with three index entries, its destination, a page's two rows and its record. */
const WRITTEN = { open: 4 + 1 + 3, acknowledged: 2, resolved: 1 };

let account: Account;
let teamId: string;

beforeEach(async () => {
  openMailbox();
  account = await makeAccount();
  await notePageSent(account.accountId);
  const person = await makePerson(account, "Grace");
  teamId = (await makeTeam(account, [{ seconds: 600, people: [person.accountUserId] }])).id;
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Takes an alert through its life; returns the rows written and read by each step. */
async function live() {
  await untilQuiet();
  const count = countRows(account.accountId);
  const written: number[] = [];
  const read: number[] = [];
  const measure = () => {
    written.push(count.written - written.reduce((sum, it) => sum + it, 0));
    read.push(count.read - read.reduce((sum, it) => sum + it, 0));
  };
  const alert = { title: "Disk full", urgency: "high", destination_team_ids: [teamId] };
  const { body } = await account.api("POST", "/alerts", alert);
  const stub = alertStub(body.prefix_id);
  await vi.waitFor(async () => expect(await outboxOf(stub)).toEqual([]), soon);
  measure();
  await account.api("POST", `/alerts/${body.id}/resolve`);
  await vi.waitFor(async () => expect(await storedAlert(stub)).toBeNull(), soon);
  measure();
  vi.restoreAllMocks();
  return { id: body.id as string, written, read };
}

test("opening an alert and paging one person writes eight rows, resolving it one", async () => {
  const { written } = await live();
  expect(written).toEqual([WRITTEN.open, WRITTEN.resolved]);
});

test("an alert whose pages are confirmed wakes when its next layer is due, and not before", async () => {
  const alert = { title: "Disk full", urgency: "high", destination_team_ids: [teamId] };
  const { body } = await account.api("POST", "/alerts", alert);
  const stub = alertStub(body.prefix_id);
  await vi.waitFor(async () => expect(await outboxOf(stub)).toEqual([]), soon);
  const stored = await storedAlert(stub);
  const [next] = stored?.alert.workflows.map((it) => it.nextStepAt) ?? [];
  const alarm = () => runInDurableObject(stub, (_, { storage }) => storage.getAlarm());
  expect(next).toBeGreaterThan(Date.now() + 500_000);
  expect(await alarm()).toBe(next);
});

/** The length of all that an alert's row has. */
async function lengthOfRow(id: string): Promise<number> {
  const row = await env.DB.prepare("select * from alerts where id = ?").bind(id).first();
  const values = Object.values(row ?? {}).filter((value) => value !== null);
  return values.reduce<number>((sum, value) => sum + String(value).length, 0);
}

test("the row of an alert has room for its life from the start, if it fits into a shared page", async () => {
  const openOne = async (description: string) => {
    const { body } = await account.api("POST", "/alerts", {
      ...{ title: "Disk full", description, urgency: "high", destination_team_ids: [teamId] },
    });
    await vi.waitFor(async () => {
      expect(await outboxOf(alertStub(body.prefix_id))).toEqual([]);
    }, soon);
    return body.id as string;
  };
  const id = await openOne("");
  const atFirst = await lengthOfRow(id);
  await account.api("POST", `/alerts/${id}/acknowledge`);
  await account.api("POST", `/alerts/${id}/resolve`);
  await vi.waitFor(async () => {
    const row = await env.DB.prepare("select status from alerts where id = ?").bind(id).first();
    expect(row?.status).toBe("resolved");
  }, soon);
  const atLast = await lengthOfRow(id);
  // The instants of both answers have columns of their own.
  expect(atLast).toBeLessThanOrEqual(atFirst + 2 * 13);
  expect(atLast).toBeGreaterThan(atFirst - 150);
  const long = await openOne("x".repeat(600));
  expect(await lengthOfRow(long)).toBeLessThan(1_400);
  const spaces = await env.DB.prepare("select timeline from alerts where id = ?")
    .bind(long)
    .first();
  expect(spaces?.timeline).not.toMatch(/\s$/);
});

test("a life reads as many rows beside two thousand open alerts of the same minute", async () => {
  const first = await live();
  const copies = Array.from({ length: 2_000 }, (_, i) => newDatedId(Date.now() - 20_000 + i));
  const { results } = await env.DB.prepare("pragma table_info(alerts)").all<{ name: string }>();
  const names = results.map(({ name }) => name);
  const values = { id: "copy.value", status: "'open'" } as Record<string, string>;
  await env.DB.prepare(
    `insert into alerts (${names.join()})
      select ${names.map((name) => values[name] ?? `alert.${name}`).join()}
        from alerts as alert, json_each(?1) as copy where alert.id = ?2`,
  )
    .bind(JSON.stringify(copies), first.id)
    .run();
  await env.DB.prepare("insert into alert_destinations select ?1, ?2, value, 1 from json_each(?3)")
    .bind(account.accountId, teamId, JSON.stringify(copies))
    .run();
  // One alert of eight folds the totals.
  const folds = [foldTotal(alerts, account.accountId, Date.now())];
  folds.push(foldDestinations(account.accountId, [teamId], Date.now()));
  for (const fold of folds) expect(await rowsReadBy(fold)).toBeLessThan(20);
  const second = await live();
  for (const [i, read] of second.read.entries())
    expect(Math.abs(read - Number(first.read[i]))).toBeLessThan(20);
});
