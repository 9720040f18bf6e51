// A team's gap recipients are notified of gaps in the next 14 days, once, whatever made them.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { PageMessage } from "../../../../src/domain/notifications/page.ts";
import { prefixIdOf } from "../../../../src/domain/shared/identifiers.ts";
import { storedNotifications } from "../../../support/alerts/notifications.ts";
import { type Account, makeAccount } from "../../../support/api/api.ts";
import { type Mailbox, openMailbox } from "../../../support/providers/mailbox.ts";
import { interceptQueue, soon } from "../../../support/worker/faults.ts";
import { makePerson, type Person } from "../../../support/worker/world.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MINUTE = 60_000;

let mailbox: Mailbox;
let account: Account;
let grace: Person;
beforeEach(async () => {
  mailbox = openMailbox();
  account = await makeAccount("Ada Admin");
  grace = await makePerson(account, "Grace");
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

type Team = {
  readonly id: string;
  readonly scheduleId: string;
  readonly stub: DurableObjectStub;
};

async function makeTeam(more: Record<string, unknown> = {}): Promise<Team> {
  const made = await account.api("POST", "/teams", {
    name: "Payments",
    member_account_user_ids: [grace.accountUserId],
    admin_account_user_ids: [account.accountUserId],
    ...more,
  });
  expect(made.status, made.text).toBe(201);
  const { id, schedule_id: scheduleId } = made.body;
  return { id, scheduleId, stub: env.TEAM.getByName(prefixIdOf("team", id)) };
}

/** Puts Grace on call from and until so many days from now. Returns the event's id. */
async function putOnCall(
  { scheduleId }: Team,
  from: number,
  to: number,
  now = Date.now(),
  layer = 1,
) {
  const made = await account.api("POST", "/events", {
    start_datetime: new Date(now + from * DAY).toISOString(),
    end_datetime: new Date(now + to * DAY).toISOString(),
    layer,
    time_zone: "UTC",
    schedule_ids: [scheduleId],
    account_user_ids: [grace.accountUserId],
  });
  expect(made.status, made.text).toBe(201);
  return made.body.id as string;
}

/** Creates an escalation policy with these layers. Returns its id. */
async function makePolicy(layers: readonly number[] = [1]): Promise<string> {
  const made = await account.api("POST", "/escalation_policies", {
    name: "Days",
    escalation_layers_attributes: layers.map((layer) => ({ layer, timeout: 5 })),
  });
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

/** Puts Grace on call on layer 1 for weeks, on layer 2 for ten days; there is no notice yet. */
async function staffTwoLayers(team: Team): Promise<readonly PageMessage[]> {
  const pages = collectPages();
  await putOnCall(team, -1, 40);
  await putOnCall(team, -1, 10, Date.now(), 2);
  await settled();
  await runAfter(team, 3 * MINUTE);
  expect(subjects(pages)).toEqual([]);
  return pages;
}

/** Waits until the objects have been told of every change. */
async function settled(): Promise<void> {
  const changes = "select count(*) as n from on_call_changes where account_id = ?";
  await vi.waitFor(async () => {
    const row = await env.DB.prepare(changes).bind(account.accountId).first<{ n: number }>();
    expect(row?.n).toBe(0);
  }, soon);
}

/** Runs the alarm as if so much time (ms) had passed. */
async function runAfter({ stub }: Team, ms: number): Promise<void> {
  vi.useFakeTimers({ now: Date.now() + ms, toFake: ["Date"] });
  try {
    await runDurableObjectAlarm(stub);
  } finally {
    vi.useRealTimers();
  }
}

const gapNotifications = () => storedNotifications(account.accountId, "event = 'oncall.gap'");

/** Collects the pages of the queue, each once: nothing confirms them, so they are sent again. */
function collectPages(): PageMessage[] {
  const pages: PageMessage[] = [];
  const known = new Set<string>();
  interceptQueue(async (messages) => {
    for (const it of messages as PageMessage[]) {
      if (!known.has(it.page.effectId)) pages.push(it);
      known.add(it.page.effectId);
    }
  });
  return pages;
}

const subjects = (pages: readonly PageMessage[]) =>
  pages.filter(({ page }) => page.event === "oncall.gap").map(({ notice }) => notice?.subject);

describe("a gap", () => {
  test("that an edit makes is notified once to the team's admins, when the edits are quiet", async () => {
    const team = await makeTeam();
    const now = Date.now();
    await putOnCall(team, -1, 5, now);
    const second = await putOnCall(team, 5, 40, now);
    await settled();
    await runAfter(team, 3 * MINUTE);
    expect(mailbox.mails).toEqual([]);
    expect((await account.api("DELETE", `/events/${second}`)).status).toBe(204);
    await settled();
    await runDurableObjectAlarm(team.stub);
    expect(await gapNotifications()).toEqual([]);
    await runAfter(team, 3 * MINUTE);
    await vi.waitFor(() => expect(mailbox.mails).toHaveLength(1), soon);
    const [mail] = mailbox.mails;
    expect(mail?.to).toMatch(/^admin/);
    expect(mail?.subject).toMatch(/^Nobody is on call for Payments: step 1: from .* on$/);
    expect(mail?.text).toContain("Each gap is reported once");
    expect(mail?.text).toContain("your team notifies you of gaps in its schedule");
    expect(await gapNotifications()).toMatchObject([
      { status: "sent", channel: "email", alert_id: null },
    ]);
    await evictDurableObject(team.stub);
    await runAfter(team, 20 * MINUTE);
    await runAfter(team, 5 * DAY);
    expect(await gapNotifications()).toHaveLength(1);
  });

  test("that comes within 14 days by the passing of time is notified then", async () => {
    const pages = collectPages();
    const team = await makeTeam();
    const now = Date.now();
    await putOnCall(team, -1, 20, now);
    await settled();
    await runAfter(team, 3 * MINUTE);
    expect(subjects(pages)).toEqual([]);
    const alarm = await runInDurableObject(team.stub, (_, state) => state.storage.getAlarm());
    expect(alarm).toBe(now + 6 * DAY);
    await runAfter(team, 5.9 * DAY);
    expect(subjects(pages)).toEqual([]);
    await runAfter(team, 6 * DAY + MINUTE);
    expect(subjects(pages)).toHaveLength(1);
    await runAfter(team, 8 * DAY);
    expect(subjects(pages)).toHaveLength(1);
  });

  test("that a person leaves behind is notified, to them no more", async () => {
    const pages = collectPages();
    const team = await makeTeam({ gap_notifications: "team_all" });
    await putOnCall(team, -1, 40);
    await settled();
    await runAfter(team, 3 * MINUTE);
    await account.api("DELETE", `/account_users/${grace.accountUserId}`);
    await settled();
    await runAfter(team, 3 * MINUTE);
    expect(pages.map(({ page }) => page.accountUserId)).toEqual([account.accountUserId]);
    expect(subjects(pages)[0]).toMatch(/^Nobody is on call for Payments: step 1: from .* on$/);
  });

  test("in a layer that the team's escalation policy gets is notified once", async () => {
    const policy = await makePolicy();
    const team = await makeTeam({ escalation_policy_id: policy });
    const pages = await staffTwoLayers(team);
    const layers = [{ layer: 2, timeout: 5 }];
    const put = { escalation_layers_attributes: layers };
    expect((await account.api("PUT", `/escalation_policies/${policy}`, put)).status).toBe(200);
    await settled();
    await runAfter(team, 3 * MINUTE);
    expect(subjects(pages)).toEqual([
      expect.stringMatching(/^Nobody is on call for Payments: step 2: from .* on$/),
    ]);
    const named = await account.api("PUT", `/escalation_policies/${policy}`, { name: "Nights" });
    expect(named.status).toBe(200);
    await settled();
    await runAfter(team, 6 * MINUTE);
    expect(subjects(pages)).toHaveLength(1);
  });

  test("in a layer of a policy that the team is given is notified", async () => {
    const team = await makeTeam({ escalation_policy_id: await makePolicy() });
    const pages = await staffTwoLayers(team);
    const another = { escalation_policy_id: await makePolicy([1, 2]) };
    expect((await account.api("PUT", `/teams/${team.id}`, another)).status).toBe(200);
    await settled();
    await runAfter(team, 3 * MINUTE);
    expect(subjects(pages)).toHaveLength(1);
  });

  test("is no gap in the schedule of a new team", async () => {
    const pages = collectPages();
    const team = await makeTeam();
    await settled();
    await runAfter(team, 3 * MINUTE);
    await putOnCall(team, 2, 40);
    await settled();
    await runAfter(team, 3 * MINUTE);
    expect(subjects(pages)).toEqual([]);
  });

  test("is notified after the queue refused it and the object was evicted", async () => {
    const team = await makeTeam();
    await putOnCall(team, -1, 5);
    await settled();
    let refused = 0;
    const queue = interceptQueue(async () => {
      refused += 1;
      throw new Error("Too Many Requests");
    });
    await runAfter(team, 3 * MINUTE);
    expect(refused).toBe(1);
    await evictDurableObject(team.stub);
    queue.mockRestore();
    await runAfter(team, 4 * MINUTE);
    await vi.waitFor(() => expect(mailbox.mails).toHaveLength(1), soon);
    await runAfter(team, 10 * MINUTE);
    expect(await gapNotifications()).toHaveLength(1);
  });
});

describe("gap_notifications", () => {
  test.each([
    ["none", () => []],
    ["team_all", () => [grace.accountUserId, account.accountUserId]],
    ["team_admins", () => [account.accountUserId]],
    ["oncall_rotation", () => [grace.accountUserId]],
    ["specific_users", () => [grace.accountUserId]],
  ])("%s decides who is notified", async (setting, recipients) => {
    const pages = collectPages();
    const team = await makeTeam({
      gap_notifications: setting,
      gap_notification_account_user_ids: [grace.accountUserId],
    });
    await putOnCall(team, -1, 5);
    await settled();
    await runAfter(team, 3 * MINUTE);
    expect(pages.map(({ page }) => page.accountUserId).sort()).toEqual(recipients().sort());
  });

  test("is team_admins by default; a change to it and back starts anew", async () => {
    const { id } = await makeTeam();
    const { body } = await account.api("GET", `/teams/${id}`);
    expect(body).toMatchObject({
      gap_notifications: "team_admins",
      gap_notification_account_user_ids: [],
    });
    const wrong = await account.api("PUT", `/teams/${id}`, { gap_notifications: "everybody" });
    expect([wrong.status, wrong.body.errors[0].field]).toEqual([422, "gap_notifications"]);
    const listed = await account.api("GET", "/teams?gap_notifications=team_admins");
    expect(listed.body.total_count).toBe(1);
  });
});
