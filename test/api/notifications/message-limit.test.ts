// Which messages to one person on one channel are sent at once, and which wait to be sent as one: read from the
// person's own rows by the statement that inserts new ones.
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { ALERT_URGENCIES, type AlertUrgency } from "../../../src/domain/alerts/alert.ts";
import { keyOf } from "../../../src/features/notifications/notifications/rows.ts";
import { hasKeyIn } from "../../../src/features/people/channels/attempt-rows.ts";
import { statement } from "../../../src/kernel/db/database.ts";
import { newId } from "../../../src/kernel/db/identifiers.ts";
import { storedNotifications } from "../../support/alerts/notifications.ts";
import { claimMails, plannedMail, type Recipient } from "../../support/alerts/planned.ts";
import { randomGenerator, sized } from "../../support/generated/sizes.ts";

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

const EVENTS = ["alert.open", "alert.acknowledged", "alert.resolved", "alert.dropped"] as const;
type Kind = { readonly event: (typeof EVENTS)[number]; readonly urgency: AlertUrgency };

/** A mail about an alert of this urgency, which the database has. */
async function mailAbout({ event, urgency }: Kind, at: number) {
  const mail = plannedMail(person, at);
  const { page, alert, ...message } = mail.message;
  if (alert === null) throw new Error("a page is about an alert");
  const { accountId } = person;
  const insert = sql`insert into alerts (id, account_id, created_at, updated_at, version, title, status, urgency)
    values (${alert.id}, ${accountId}, ${at}, ${at}, 1, 'Disk full', 'open', ${urgency})`;
  await statement(env.DB, insert).run();
  return {
    ...mail,
    message: { ...message, alert: { ...alert, urgency }, page: { ...page, event } },
  };
}

/** Plans these one second after another; returns which are sent at once. */
async function areSentAtOnce(kinds: readonly Kind[]): Promise<boolean[]> {
  const sent: boolean[] = [];
  for (const [i, kind] of kinds.entries()) {
    const at = start + i * SECOND;
    sent.push((await send([await mailAbout(kind, at)], at))[0] === "now");
  }
  return sent;
}

const page = (urgency: AlertUrgency): Kind => ({ event: "alert.open", urgency });
const notice = (urgency: AlertUrgency): Kind => ({ event: "alert.acknowledged", urgency });

test("a critical page does not wait behind low ones, nor behind notices", async () => {
  const low = [page("low"), page("low"), page("low"), page("low")];
  expect(await areSentAtOnce([...low, page("critical")])).toEqual([true, true, true, false, true]);
  person = { accountId: newId(start), accountUserId: newId(start) };
  const notices = Array.from({ length: 4 }, () => notice("critical"));
  expect(await areSentAtOnce([...notices, page("low"), page("critical")])).toEqual([
    ...[true, true, true, false],
    ...[true, true],
  ]);
});

test("ten critical pages are sent at once, and the rest of a storm of them as one", async () => {
  const kinds = Array.from({ length: 12 }, () => page("critical"));
  expect(await areSentAtOnce(kinds)).toEqual(kinds.map((_, i) => i < 10));
});

test("so is a storm on four channels, each by itself", async () => {
  const channels = ["email", "sms", "voice", "push"] as const;
  const sent: number[] = [];
  for (let i = 0; i < 12; i += 1) {
    const at = start + i * SECOND;
    const mail = await mailAbout(page("critical"), at);
    const planned = channels.map((channel) => {
      const own = plannedMail(person, at, { channel });
      return { ...own, message: { ...mail.message, page: own.message.page } };
    });
    const times = await send(planned, at);
    sent.push(times.filter((it) => it === "now").length);
  }
  expect(sent).toEqual([...Array.from({ length: 10 }, () => 4), 0, 0]);
});

test("a critical page does not join a page that waits and whose alert became critical", async () => {
  await areSentAtOnce([page("low"), page("low"), page("low")]);
  const waiting = await mailAbout(page("low"), start + 4 * SECOND);
  expect(await send([waiting], start + 4 * SECOND)).toEqual([30]);
  const raised = sql`update alerts set urgency = 'critical' where account_id = ${person.accountId}`;
  await statement(env.DB, raised).run();
  const other = await mailAbout(page("critical"), start + 5 * SECOND);
  expect(await send([other], start + 5 * SECOND)).toEqual(["now"]);
});

test("a message is deferred only by as many of its kind that are at least as urgent", async () => {
  const random = randomGenerator();
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  for (let round = 0; round < sized(8, 60); round += 1) {
    person = { accountId: newId(start), accountUserId: newId(start) };
    const kinds = Array.from({ length: 20 }, () => ({
      event: pick(["alert.open", ...EVENTS] as const),
      urgency: pick(ALERT_URGENCIES),
    }));
    const sent = await areSentAtOnce(kinds);
    const expected: boolean[] = [];
    for (const [i, { event, urgency }] of kinds.entries()) {
      const most = event === "alert.open" && urgency === "critical" ? 10 : MOST;
      const before = kinds.filter(
        (it, at) =>
          at < i &&
          expected[at] &&
          (it.event === "alert.open") === (event === "alert.open") &&
          ALERT_URGENCIES.indexOf(it.urgency) >= ALERT_URGENCIES.indexOf(urgency),
      );
      expected.push(before.length < most);
    }
    expect(sent, JSON.stringify(kinds)).toEqual(expected);
  }
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
