// Who is told of a take-over: whoever is relieved, and the admins of the schedule's teams.
import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { PageMessage } from "../../../../src/domain/notifications/page.ts";
import { type Account, makeAccount } from "../../../support/api/api.ts";
import { interceptQueue, soon } from "../../../support/worker/faults.ts";
import { makePerson, type Person } from "../../../support/worker/world.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MINUTE = 60_000;
const iso = (at: number) => new Date(at).toISOString();

const NAMES = ["Mia", "Tom", "Ann", "Bob", "Otto"] as const;
type Name = (typeof NAMES)[number];

let account: Account;
let people: Map<Name, Person>;
let scheduleId: string;
let stub: DurableObjectStub;
let eventId: string;
let start: number;

const idOf = (name: Name) => people.get(name)?.accountUserId ?? "";
const as = (name: Name) => ({ Authorization: `Bearer ${people.get(name)?.key}` });

/** Mia is on call; Ann and Bob are admins of two teams that use the schedule; Otto of another team. */
beforeEach(async () => {
  account = await makeAccount("Ada Admin");
  people = new Map();
  for (const name of NAMES) {
    people.set(name, await makePerson(account, name, { shiftNotices: true }));
  }
  const makeTeam = async (admin: Name, more: object = {}) => {
    const { body, status, text } = await account.api("POST", "/teams", {
      ...{ name: `Team of ${admin}`, gap_notifications: "none" },
      member_account_user_ids: [idOf("Mia"), idOf("Tom")],
      admin_account_user_ids: [idOf(admin)],
      ...more,
    });
    expect(status, text).toBe(201);
    return body;
  };
  const { schedule_id } = await makeTeam("Ann");
  scheduleId = schedule_id;
  await makeTeam("Bob", { schedule_id });
  await makeTeam("Otto");
  const { body } = await account.api("GET", `/schedules/${scheduleId}`);
  stub = env.SCHEDULE.getByName(body.prefix_id);
  start = Math.floor(Date.now() / HOUR) * HOUR - HOUR;
  const made = await account.api("POST", "/events", {
    ...{ start_datetime: iso(start), end_datetime: iso(start + DAY), layer: 1, time_zone: "UTC" },
    ...{ schedule_ids: [scheduleId], account_user_ids: [idOf("Mia")] },
    ...{ repeat: true, frequency: 1, frequency_unit: "daily" },
  });
  expect(made.status, made.text).toBe(201);
  eventId = made.body.id;
  await settled();
  await runAfter(3 * MINUTE);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Waits until the objects have been told of every change. */
async function settled(): Promise<void> {
  const changes = "select count(*) as n from on_call_changes where account_id = ?";
  await vi.waitFor(async () => {
    const row = await env.DB.prepare(changes).bind(account.accountId).first<{ n: number }>();
    expect(row?.n).toBe(0);
  }, soon);
}

/** Runs the alarm as if so much time (ms) had passed. */
async function runAfter(ms: number): Promise<void> {
  vi.useFakeTimers({ now: Date.now() + ms, toFake: ["Date"] });
  try {
    await runDurableObjectAlarm(stub);
  } finally {
    vi.useRealTimers();
  }
}

/** Collects the pages of this account, each once: nothing confirms them, so they are sent again. */
function collectPages(): PageMessage[] {
  const pages: PageMessage[] = [];
  interceptQueue(async (messages) => {
    for (const it of messages as PageMessage[]) {
      const isKnown = pages.some(({ page }) => page.effectId === it.page.effectId);
      if (it.accountId === account.accountId && !isKnown) pages.push(it);
    }
  });
  return pages;
}

/** `Mia shift_removed`, by name. */
const whoAndWhat = (pages: readonly PageMessage[]) =>
  pages
    .map(({ page }) => {
      const name = NAMES.find((it) => idOf(it) === page.accountUserId) ?? "Ada";
      return `${name} ${page.event.replace("oncall.", "")}`;
    })
    .sort();

const noticeTo = (pages: readonly PageMessage[], name: Name) =>
  pages.find(({ page }) => page.accountUserId === idOf(name))?.notice;

async function take(name: Name, at = start): Promise<void> {
  const path = `/events/${eventId}/take_over`;
  const taken = await account.api("POST", path, { action_time: iso(at) }, as(name));
  expect(taken.status, taken.text).toBe(201);
  await settled();
}

async function undo(name: Name): Promise<void> {
  const path = `/schedules/${scheduleId}/changes`;
  const { body } = await account.api("GET", `${path}?verb=take_over`);
  const undone = await account.api("POST", `${path}/${body.data[0].id}/undo`, undefined, as(name));
  expect(undone.status, undone.text).toBe(201);
  await settled();
}

describe("a take-over", () => {
  test("is told to who is relieved and to the admins of the teams, and to nobody else", async () => {
    const pages = collectPages();
    await take("Tom");
    await runAfter(3 * MINUTE);
    expect(whoAndWhat(pages)).toEqual(["Ann shift_taken", "Bob shift_taken", "Mia shift_removed"]);
    expect(noticeTo(pages, "Ann")?.subject).toMatch(/^Tom took over from Mia in .*: step 1: /);
    expect(noticeTo(pages, "Mia")?.subject).toMatch(/^You were taken off call in /);
    expect(noticeTo(pages, "Mia")?.text).toContain("Tom took over from you. You can undo it");
    pages.splice(0);
    await account.api("PUT", `/events/${eventId}`, { account_user_ids: [idOf("Otto")] });
    await settled();
    await runAfter(3 * MINUTE);
    expect(whoAndWhat(pages).filter((it) => it.endsWith("shift_taken"))).toEqual([]);
  });

  test("by an admin of a team is told to the others", async () => {
    const pages = collectPages();
    await take("Ann");
    await runAfter(3 * MINUTE);
    expect(whoAndWhat(pages)).toEqual(["Bob shift_taken", "Mia shift_removed"]);
  });

  test("that relieves an admin tells them of their own shift only", async () => {
    await take("Ann");
    await runAfter(3 * MINUTE);
    const pages = collectPages();
    const { body } = await account.api("GET", `/schedules/${scheduleId}/current_oncall`);
    eventId = body[0].event_id;
    await take("Tom", Date.parse(body[0].start_time));
    await runAfter(3 * MINUTE);
    expect(whoAndWhat(pages)).toEqual(["Ann shift_removed", "Bob shift_taken"]);
  });

  test("that is undone before is told to nobody", async () => {
    const pages = collectPages();
    await take("Tom", start + DAY);
    await undo("Mia");
    await runAfter(3 * MINUTE);
    expect(whoAndWhat(pages)).toEqual([]);
  });

  test("that is undone afterwards is told again to the admins, and to whom it concerns", async () => {
    await take("Tom");
    await runAfter(3 * MINUTE);
    const pages = collectPages();
    await undo("Mia");
    await runAfter(3 * MINUTE);
    expect(whoAndWhat(pages)).toEqual(["Ann shift_taken", "Bob shift_taken", "Tom shift_removed"]);
    expect(noticeTo(pages, "Bob")?.subject).toMatch(/^Mia undid in .* that Tom took over from Mia/);
    expect(noticeTo(pages, "Tom")?.text).not.toContain("took over from you");
  });
});
