// What a page costs in D1: rows written per page, and rows read however many notifications its recipient has.
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { selectUnpaged } from "../../../src/features/alerts/object/sweep-rows.ts";
import {
  claimPlanned,
  keyOf,
  selectStatuses,
} from "../../../src/features/notifications/notifications/rows.ts";
import { recordDelivery } from "../../../src/features/notifications/pages/delivery-rows.ts";
import { deleteNotifications } from "../../../src/features/operations/retention/retention-rows.ts";
import { recordAttempts } from "../../../src/features/people/channels/attempt-rows.ts";
import { readCall } from "../../../src/features/people/contacts/phone-rows.ts";
import { statement } from "../../../src/kernel/db/database.ts";
import { newId } from "../../../src/kernel/db/identifiers.ts";
import { batch } from "../../../src/kernel/db/select.ts";
import { storedNotifications } from "../../support/alerts/notifications.ts";
import {
  claimMails,
  countRows,
  plannedMail,
  type Recipient,
  rowsReadBy,
} from "../../support/alerts/planned.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { notePageSent } from "../../support/people/first-page.ts";
import { openMailbox } from "../../support/providers/mailbox.ts";
import { soon } from "../../support/worker/faults.ts";
import { makePerson, makeTeam } from "../../support/worker/world.ts";

let account: Account;
beforeEach(async () => {
  openMailbox();
  account = await makeAccount();
  await notePageSent(account.accountId);
});
afterEach(() => {
  vi.restoreAllMocks();
});

test("a page sent at once on one channel writes three rows, and its deletion one", async () => {
  const { accountUserId } = await makePerson(account, "Grace");
  const team = await makeTeam(account, [{ seconds: 3_600, people: [accountUserId] }]);
  const count = countRows();
  const { body } = await account.api("POST", "/alerts", {
    ...{ title: "Disk full", urgency: "high", destination_team_ids: [team.id] },
  });
  await vi.waitFor(async () => {
    const rows = await storedNotifications(account.accountId, "owner_id = ?", body.id);
    expect(rows).toMatchObject([{ status: "sent", attempts: 1 }]);
  }, soon);
  expect(count.written).toBe(3);
  const [{ alert_id: _, broadcast_id: __, effect_id: ___, ...stored } = {}] =
    await storedNotifications(account.accountId, "owner_id = ?", body.id);
  const bytes = Object.values(stored).map((value) => String(value ?? "").length);
  expect(bytes.reduce((sum, it) => sum + it, 0)).toBeLessThanOrEqual(330);
  await batch(env.DB, [deletionOf(body.id)]);
  expect(count.written).toBe(4);
  expect(await storedNotifications(account.accountId, "owner_id = ?", body.id)).toEqual([]);
});

/** The deletion of an alert's notifications. */
const deletionOf = (alertId: string) =>
  deleteNotifications(sql`(select ${account.accountId}, ${alertId})`);

/** Inserts notifications of a person from before an instant: sent ones, and those of an earlier bundle. */
async function insertEarlier(recipient: Recipient, count: number, before: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, i) => {
    const at = before - 60_000 - i * 1_000;
    const isBundled = i % 2 === 0;
    return { id: newId(at), at, owner: newId(at), dueAt: isBundled ? before - 40_000 : null };
  });
  const { accountId, accountUserId } = recipient;
  const insert = sql`insert into notifications (account_id, account_user_id, id, owner_id, created_at,
      updated_at, effect, channel, event, status, attempts, bundle, due_at, provider_id)
    select ${accountId}, ${accountUserId}, value->>'id', value->>'owner', value->>'at', value->>'at', ':0',
      'email', 'alert.open', 'sent', 1, iif(value->>'dueAt' is null, null, 'burst'), value->>'dueAt', 'one'
    from json_each(${JSON.stringify(rows)})`;
  await statement(env.DB, insert).run();
}

/** The rows that the statements of a storm read: its pages, planned twice, their records and states. */
async function readByStorm(recipient: Recipient, now: number): Promise<number[]> {
  const pages = Array.from({ length: 10 }, (_, i) => plannedMail(recipient, now + i));
  const keys = pages.map(keyOf);
  const outcome = { status: "sent", reason: null, providerId: null, claimedUntil: null } as const;
  const queries = [
    claimPlanned(pages, 3, now),
    claimPlanned(pages, 3, now),
    recordAttempts(
      keys.map((key) => ({ ...key, ...outcome })),
      now,
    ),
    selectStatuses(keys),
  ];
  const read: number[] = [];
  for (const query of queries) read.push(await rowsReadBy(query));
  return read;
}

test("a storm reads as many rows for a person with thousands of notifications as for one with a hundred", async () => {
  const now = Date.now();
  const [few, many] = ["few", "many"].map((accountUserId) => ({
    accountId: account.accountId,
    accountUserId,
  })) as [Recipient, Recipient];
  await insertEarlier(few, 100, now);
  await insertEarlier(many, 4_000, now);
  const read = await readByStorm(few, now);
  expect(await readByStorm(many, now)).toEqual(read);
  for (const rows of read) expect(rows).toBeGreaterThan(9);
});

test("the statements on one alert read as many rows in an account with thousands of notifications", async () => {
  const person = { accountId: account.accountId, accountUserId: account.accountUserId };
  const team = await makeTeam(account, [{ seconds: 3_600, people: [person.accountUserId] }]);
  const alert = { title: "Disk full", urgency: "high", destination_team_ids: [team.id] };
  const report = { status: "delivered", providerId: "P1", reason: null } as const;
  const read: number[] = [];
  const count = countRows();
  for (const earlier of [100, 3_000]) {
    const { body } = await account.api("POST", "/alerts", alert);
    const [page] = await vi.waitFor(async () => {
      const rows = await storedNotifications(person.accountId, "owner_id = ?", body.id);
      expect(rows).toMatchObject([{ status: "sent" }]);
      return rows;
    }, soon);
    const key = { ...person, id: String(page?.id) };
    await insertEarlier(person, earlier, Date.now());
    count.read = 0;
    const list = await account.api("GET", `/alerts/${body.id}/notifications`);
    expect(list.body.total_count).toBe(1);
    await recordDelivery(env.DB, key, report, Date.now());
    await readCall(env.DB, key);
    await batch(env.DB, [selectUnpaged(Date.now() + 60_000, 10), deletionOf(body.id)]);
    read.push(count.read);
  }
  expect(read[0]).toBeGreaterThan(3);
  // The alerts of the account differ by one.
  expect(read[1]).toBeLessThan((read[0] ?? 0) + 20);
});

test("copies of a page that run side by side claim it once, and once more after its lease", async () => {
  const recipient = { accountId: account.accountId, accountUserId: "somebody" };
  const now = Date.now();
  const page = [plannedMail(recipient, now)];
  const claims = async (at: number) => {
    const copies = Array.from({ length: 8 }, () => claimMails(page, 3, at));
    return (await Promise.all(copies)).flat().filter(Boolean).length;
  };
  expect(await claims(now)).toBe(1);
  expect(await claims(now + 19_999)).toBe(0);
  expect(await claims(now + 20_000)).toBe(1);
  const rows = await storedNotifications(account.accountId, "account_user_id = 'somebody'");
  expect(rows).toMatchObject([{ attempts: 2, status: "queued" }]);
});
