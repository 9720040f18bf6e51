// Which messages to one person on one channel are sent at once, and which wait to be sent as one: read from the
// person's own rows by the statement that inserts new ones.
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { hasKeyIn, keyOf } from "../../../../src/db/alerts/notifications/notification-rows.ts";
import { statement } from "../../../../src/db/shared/database.ts";
import { newId } from "../../../../src/db/shared/identifiers.ts";
import { storedNotifications } from "../../../support/alerts/notifications.ts";
import { claimMails, plannedMail, type Recipient } from "../../../support/alerts/planned.ts";

const MOST = 3;
const SECOND = 1_000;
const start = Date.UTC(2026, 5, 1, 12);
let person: Recipient;

beforeEach(() => {
  person = { accountId: newId(start), accountUserId: newId(start) };
});

/** When a message is sent, in seconds; it may be sent already. */
type Time = number | "now" | "sent";

/** Plans mails one after another, at these seconds. */
async function sendAt(...seconds: readonly number[]): Promise<Time[]> {
  const times: Time[] = [];
  for (const second of seconds) {
    const at = start + second * SECOND;
    times.push(...(await send([plannedMail(person, at)], at)));
  }
  return times;
}

async function send(
  planned: readonly Parameters<typeof keyOf>[0][],
  now: number,
  most = MOST,
): Promise<Time[]> {
  const claimed = await claimMails(planned, most, now);
  const rows = await storedNotifications(person.accountId);
  return planned.map(({ id }, i) => {
    const { due_at: dueAt, status } = rows.find((row) => row.id === id) ?? {};
    expect(claimed[i]).toBe(status === "queued" && dueAt === null);
    if (status === "sent") return "sent";
    return dueAt === null ? "now" : (Number(dueAt) - start) / SECOND;
  });
}

test("more than the limit in half a minute wait until half a minute after the first", async () => {
  expect(await sendAt(0, 5, 10, 11, 12, 29)).toEqual(["now", "now", "now", 30, 30, 30]);
});

test("after a bundle the count begins anew", async () => {
  expect(await sendAt(0, 10, 20, 21)).toEqual(["now", "now", "now", 30]);
  expect(await sendAt(30, 31, 32, 33, 59)).toEqual(["now", "now", "now", 60, 60]);
});

test("slow messages are never bundled", async () => {
  const seconds = Array.from({ length: 12 }, (_, i) => i * 11);
  expect(await sendAt(...seconds)).toEqual(seconds.map(() => "now"));
});

test("those of one statement count each other, in their order", async () => {
  const pages = Array.from({ length: 5 }, () => plannedMail(person, start));
  expect(await send(pages, start)).toEqual(["now", "now", "now", 30, 30]);
});

test("channels and people are counted apart, and rows that exist already or are not sent do not count", async () => {
  const other = { ...person, accountUserId: newId(start) };
  const first = Array.from({ length: MOST }, () => plannedMail(person, start));
  await send(first, start);
  await statement(
    env.DB,
    sql`update notifications set status = 'sent' where ${hasKeyIn(first.map(keyOf))}`,
  ).run();
  const now = start + 40 * SECOND;
  const skipped = plannedMail(person, now, { status: "skipped", reason: "over" });
  const held = plannedMail(person, now, { aside: { bundle: "digest", dueAt: now + SECOND } });
  await claimMails([...first, skipped, held], MOST, now);
  const rest = [
    plannedMail(person, now),
    plannedMail(person, now, { channel: "sms" }),
    plannedMail(other, now),
    plannedMail(person, now),
    plannedMail(person, now),
    plannedMail(person, now),
  ];
  expect(await send([...first, ...rest], now)).toEqual([
    ...["sent", "sent", "sent"],
    ...["now", "now", "now", "now", "now", 70],
  ]);
});

test("messages of a later stage count each other, however many newer notifications there are", async () => {
  const newer = Array.from({ length: 200 }, (_, i) => plannedMail(person, start + 60 * SECOND + i));
  await send(newer, start + 60 * SECOND, 0);
  const now = start + 300 * SECOND;
  const times: Time[] = [];
  for (let i = 0; i < 5; i += 1) {
    const late = plannedMail(person, start + i * SECOND, { channel: "sms", stage: 1 });
    times.push(...(await send([late], now + i * SECOND)));
  }
  expect(times).toEqual(["now", "now", "now", 330, 330]);
});

test("a message whose channel failed does not end the count by moving to this one", async () => {
  await sendAt(0, 1, 2);
  const moved = plannedMail(person, start, {
    aside: { bundle: "burst", dueAt: start + 3 * SECOND },
  });
  await claimMails([moved], 0, start + 4 * SECOND);
  expect(await sendAt(5)).toEqual([30]);
});

test("no limit defers nothing, and other notices than alerts are not deferred", async () => {
  const pages = Array.from({ length: 6 }, () => plannedMail(person, start));
  expect(await send(pages, start, 0)).toEqual(pages.map(() => "now"));
  const notice = plannedMail(person, start);
  const { message } = notice;
  const about = { schedule: "tem_x", subject: "On call", text: "" };
  const told = {
    ...notice,
    message: {
      ...message,
      alert: null,
      notice: about,
      page: { ...message.page, event: "oncall.handoff" as const },
    },
  };
  expect(await send([told], start)).toEqual(["now"]);
});
