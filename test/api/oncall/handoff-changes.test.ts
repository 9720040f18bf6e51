// Handoff recipients are notified of each change of who is on call, whatever caused it (contract, section 3). Compares
// the notifications of generated API operations with `current_oncall` before and after each operation.
import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type PageMessage, sendingObjectName } from "../../../src/domain/notifications/page.ts";
import { pageSender } from "../../../src/features/notifications/pages/page-sender.ts";
import { sweep } from "../../../src/features/operations/retention/sweep.ts";
import type { Route } from "../../../src/kernel/http/route.ts";
import { routes } from "../../../src/routes.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { selectSome, sized } from "../../support/generated/sizes.ts";
import { plain } from "../../support/integrations/plain.ts";
import { sampleOf } from "../../support/integrations/samples.ts";
import { interceptQueue, soon } from "../../support/worker/faults.ts";
import { type Inhabited, makeInhabited } from "../../support/worker/inhabited.ts";
import { makePerson, makeTeam, putOnCall } from "../../support/worker/world.ts";

const CASES = sized(2, 25);
const HOUR = 3_600_000;
const iso = (at: number) => new Date(at).toISOString();

/** Handoff notifications sent, without repetitions. */
let pages: PageMessage[];
const sent = new Set<string>();
beforeEach(() => {
  pages = [];
  interceptQueue(async (messages) => {
    for (const it of messages as PageMessage[]) {
      if (!it.page) continue;
      confirm(it);
      if (it.page.event !== "oncall.handoff" || sent.has(it.page.effectId)) continue;
      sent.add(it.page.effectId);
      pages.push(it);
    }
  });
});

/** As the consumer does; else hundreds of objects would send their pages again and again. */
function confirm(message: PageMessage): void {
  const { page, accountId } = message;
  const report = { effectId: page.effectId, lines: [], unreached: false, page };
  const sender = pageSender(env, sendingObjectName(message));
  void sender.confirm([report], accountId).catch(() => undefined);
}
afterEach(() => {
  vi.restoreAllMocks();
});

/** Waits until every change of who is on call is notified. */
async function notified(accountId: string): Promise<void> {
  const query = "select count(*) as n from on_call_changes where account_id = ?";
  await vi.waitFor(async () => {
    const row = await env.DB.prepare(query).bind(accountId).first<{ n: number }>();
    expect(row?.n).toBe(0);
  }, soon);
}

/** The distinct texts of the handoff notifications since the last call. */
function takeTexts(): string[] {
  const texts = pages.splice(0).map(({ notice }) => String(notice?.text));
  return [...new Set(texts)];
}

// ── Generated operations ──

type World = {
  readonly account: Account;
  /** Two schedules; the second team uses the first one's. */
  schedules: string[];
  teams: { id: string; name: string; notifies: boolean }[];
  /** Names by account user id, including people who were removed. */
  readonly names: Map<string, string>;
  people: string[];
  events: string[];
  absences: string[];
  /** Number of names given to teams: two teams of one name would send equal texts. */
  teamNames: number;
};

const newTeamName = (world: World): string => {
  world.teamNames += 1;
  return `Team ${world.teamNames}`;
};

const nth = <Value>(values: readonly Value[], i: number): Value | undefined =>
  values[i % Math.max(1, values.length)];

const step = fc.record({
  what: fc.nat(999),
  on: fc.nat(),
  who: fc.nat(),
  other: fc.nat(),
  /** Start of a shift (hours from now). */
  from: fc.integer({ min: -40, max: 3 }),
  hours: fc.integer({ min: 1, max: 60 }),
  layer: fc.integer({ min: 1, max: 2 }),
  series: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * 15 or 45 minutes past the current hour, whichever is at least 15 minutes away: no shift boundary
 * passes while the test runs.
 */
const awayFromHandoffs = (now: number) =>
  Math.floor(now / HOUR) * HOUR + (now % HOUR < HOUR / 2 ? 0.75 : 0.25) * HOUR;

async function peopleOf({ people }: World, { who, other }: Step) {
  return [...new Set([nth(people, who), nth(people, other)])].filter((id) => id !== undefined);
}

async function shiftOf(world: World, it: Step) {
  const start = awayFromHandoffs(Date.now()) + it.from * HOUR;
  return {
    start_datetime: iso(start),
    end_datetime: iso(start + it.hours * HOUR),
    layer: it.layer,
    time_zone: "UTC",
    account_user_ids: await peopleOf(world, it),
  };
}

const absenceOf = ({ people }: World, { who, other, on }: Step) => {
  const instead = nth(["person", "next_in_line", "empty", "nobody_yet"], other) ?? "";
  return {
    account_user_id: nth(people, who),
    instead,
    covering_account_user_id: instead === "person" ? nth(people, who + 1 + on) : null,
  };
};

/** A team's current on-call entries. */
async function current({ account }: World, teamId: string) {
  const { status, body, text } = await account.api("GET", `/teams/${teamId}/current_oncall`);
  expect(status, text).toBe(200);
  return body as {
    layer: number;
    start_time: string;
    end_time: string;
    event_id: string;
    attendees: { attendee_id: string }[];
  }[];
}

const allCurrent = async (world: World) =>
  (await Promise.all(world.teams.map(({ id }) => current(world, id)))).flat();

const OPERATIONS: Record<string, (world: World, it: Step) => Promise<unknown>> = {
  createEvent: async (world, it) => {
    const repeats = {
      repeat: true,
      frequency: 1,
      frequency_unit: "daily",
      rotation: it.other % 2 > 0,
    };
    const made = await world.account.api("POST", "/events", {
      ...(await shiftOf(world, it)),
      schedule_ids: it.on % 5 === 0 ? world.schedules : [nth(world.schedules, it.on)],
      ...(it.series && { ...repeats, hours: undefined }),
    });
    if (made.status === 201) world.events.push(made.body.id);
  },
  updateEvent: async (world, it) => {
    const body = it.series
      ? { account_user_ids: await peopleOf(world, it) }
      : await shiftOf(world, it);
    const moved =
      it.on % 3 === 0 ? { ...body, schedule_ids: [nth(world.schedules, it.other)] } : body;
    await world.account.api("PUT", `/events/${nth(world.events, it.on)}`, moved);
  },
  deleteEvent: (world, it) => world.account.api("DELETE", `/events/${nth(world.events, it.on)}`),
  overrideEvent: async (world, it) => {
    const running = nth(await allCurrent(world), it.on);
    if (!running) return;
    const { start_datetime, end_datetime, ...rest } = await shiftOf(world, {
      ...it,
      from: it.from % 5,
    });
    const made = await world.account.api("POST", `/events/${running.event_id}/override`, {
      ...rest,
      action_time: running.start_time,
      start_time: start_datetime,
      end_time: end_datetime,
    });
    if (made.status === 201) world.events.push(made.body.id);
  },
  takeOverShift: async (world, it) => {
    const running = nth(await allCurrent(world), it.on);
    const path = `/events/${running?.event_id}/take_over`;
    const made = await world.account.api("POST", path, { action_time: running?.start_time });
    if (made.status === 201) world.events.push(made.body.id);
  },
  addEventException: async (world, it) => {
    const running = nth(await allCurrent(world), it.on);
    const body = { action_time: running?.start_time };
    await world.account.api("POST", `/events/${running?.event_id}/add_exception`, body);
  },
  changeFollowingEvents: async (world, it) => {
    const running = nth(await allCurrent(world), it.on);
    const made = await world.account.api("POST", `/events/${running?.event_id}/change_following`, {
      action_time: running?.start_time,
      ...(it.series
        ? { layer: 1 + (it.who % 2) }
        : { account_user_ids: await peopleOf(world, it) }),
    });
    if (made.status === 200) world.events.push(made.body.id);
  },
  moveEventPart: async (world, it) => {
    const running = nth(await allCurrent(world), it.on);
    const { start_datetime, end_datetime } = await shiftOf(world, it);
    const body = { action_time: running?.start_time, start_datetime, end_datetime };
    const path = `/events/${running?.event_id}/move_part`;
    const moved = await world.account.api("POST", path, body);
    if (moved.status === 200) world.events.push(moved.body.moved_event_id);
  },
  removeEventPart: async (world, it) => {
    const running = nth(await allCurrent(world), it.on);
    const body = { action_time: running?.start_time };
    await world.account.api("POST", `/events/${running?.event_id}/remove_part`, body);
  },
  terminateEvent: async (world, it) => {
    const running = nth(await allCurrent(world), it.on);
    const body = { action_time: running?.start_time };
    await world.account.api("POST", `/events/${running?.event_id}/terminate_on`, body);
  },
  createAbsence: async (world, it) => {
    const { start_datetime, end_datetime } = await shiftOf(world, it);
    const made = await world.account.api("POST", "/absences", {
      ...absenceOf(world, it),
      start_datetime,
      end_datetime,
    });
    if (made.status === 201) world.absences.push(made.body.id);
  },
  updateAbsence: (world, it) => {
    const path = `/absences/${nth(world.absences, it.on)}`;
    return world.account.api("PUT", path, absenceOf(world, { ...it, other: it.other + 1 }));
  },
  cancelAbsence: async (world, it) => {
    const { start_datetime, end_datetime } = await shiftOf(world, it);
    const [account_user_id, other] = [nth(world.people, it.who), nth(world.people, it.who + 1)];
    const made = await world.account.api("POST", "/absences", {
      ...{ instead: "ask", account_user_id, account_user_ids: [other] },
      ...{ start_datetime, end_datetime },
    });
    await world.account.api("POST", `/absences/${made.body.id}/cancel`);
  },
  deleteAbsence: (world, it) =>
    world.account.api("DELETE", `/absences/${nth(world.absences, it.on)}`),
  updateTeam: async (world, it) => {
    const team = nth(world.teams, it.on);
    const body = { schedule_id: nth(world.schedules, it.other), name: newTeamName(world) };
    const changed = await world.account.api("PUT", `/teams/${team?.id}`, body);
    if (team && changed.status === 200) team.name = changed.body.name;
  },
  createTeam: async (world, it) => {
    if (world.teams.length > 3) return;
    const name = newTeamName(world);
    const made = await world.account.api("POST", "/teams", {
      name,
      schedule_id: nth(world.schedules, it.other),
      admin_account_user_ids: [world.account.accountUserId],
      member_account_user_ids: [world.account.accountUserId],
      handoff_notifications: "team_admins",
    });
    expect(made.status, made.text).toBe(201);
    world.teams.push({ id: made.body.id, name, notifies: true });
  },
  deleteTeam: async (world, it) => {
    const team = nth(world.teams, it.on);
    if (it.who % 4 > 0 || world.teams.length < 2) return;
    await world.account.api("DELETE", `/teams/${team?.id}`);
    world.teams = world.teams.filter((one) => one !== team);
  },
  flushSchedule: (world, it) =>
    world.account.api("DELETE", `/schedules/${nth(world.schedules, it.on)}/flush`),
  deleteSchedule: async (world, it) => {
    const id = nth(world.schedules, it.on);
    expect((await world.account.api("DELETE", `/schedules/${id}`)).status).toBe(204);
    const { body } = await world.account.api("POST", "/schedules", { name: "Another" });
    world.schedules = world.schedules.map((one) => (one === id ? body.id : one));
  },
  deleteAccountUser: async (world, it) => {
    const id = nth(world.people, it.on);
    if (world.people.length < 2) return;
    const removed = await world.account.api("DELETE", `/account_users/${id}`);
    expect(removed.status, removed.text).toBe(204);
    world.people = world.people.filter((one) => one !== id);
  },
  createAccountUser: async (world, it) => {
    await addPerson(world, `Person ${it.who % 99}`);
  },
};

async function addPerson(world: World, name: string): Promise<void> {
  const { accountUserId } = await makePerson(world.account, name);
  world.people.push(accountUserId);
  world.names.set(accountUserId, name);
}

async function makeWorld(): Promise<World> {
  const account = await makeAccount();
  const world: World = {
    account,
    schedules: [],
    teams: [],
    names: new Map([[account.accountUserId, "Ada Admin"]]),
    people: [],
    events: [],
    absences: [],
    teamNames: 0,
  };
  for (const name of ["Ann", "Bob", "Cid"]) await addPerson(world, name);
  for (const name of ["One", "Two"]) {
    const { body } = await account.api("POST", "/schedules", { name });
    world.schedules.push(body.id);
  }
  for (const name of ["Red", "Blue", "Mute"]) {
    const { body, text, status } = await account.api("POST", "/teams", {
      name,
      schedule_id: world.schedules[name === "Mute" ? 1 : 0],
      admin_account_user_ids: [account.accountUserId],
      member_account_user_ids: [account.accountUserId],
      handoff_notifications: name === "Mute" ? "none" : "team_admins",
    });
    expect(status, text).toBe(201);
    world.teams.push({ id: body.id, name, notifies: name !== "Mute" });
  }
  await notified(account.accountId);
  return world;
}

// ── Expected notifications ──

type Layers = Map<number, Set<string>>;

async function layersOf(world: World, teamId: string): Promise<Layers> {
  const layers: Layers = new Map();
  for (const { layer, attendees } of await current(world, teamId)) {
    const people = layers.get(layer) ?? new Set();
    for (const { attendee_id } of attendees) people.add(attendee_id);
    layers.set(layer, people);
  }
  return layers;
}

const sorted = (names: readonly string[]) =>
  names.length === 0 ? "nobody" : names.toSorted().join(", ");

/** `Step 1: Ann on call, nobody off call` for each changed layer. */
function changesBetween({ names }: World, before: Layers, after: Layers): string[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .sort((a, b) => a - b)
    .flatMap((layer) => {
      const [was, is] = [[...(before.get(layer) ?? [])], [...(after.get(layer) ?? [])]];
      const on = is.filter((id) => !was.includes(id)).map((id) => names.get(id) ?? "?");
      const off = was.filter((id) => !is.includes(id)).map((id) => names.get(id) ?? "?");
      const isSame = on.length + off.length === 0;
      return isSame ? [] : [`Step ${layer}: ${sorted(on)} on call, ${sorted(off)} off call`];
    });
}

/** A notification's team and lines, with names sorted. */
function readNotice(text: string): string {
  const [first = "", , ...lines] = text.trim().split("\n");
  const team = /^On call for (.*) since /.exec(first)?.[1];
  const sortedLines = lines.map((line) => {
    const [, layer, on = "", off = ""] =
      /^(Step \d+): (.*) on call, (.*) off call$/.exec(line) ?? [];
    return `${layer}: ${sorted(on.split(", "))} on call, ${sorted(off.split(", "))} off call`;
  });
  return [team, ...sortedLines].join("\n");
}

async function runAndCompare(world: World, name: string, it: Step): Promise<number> {
  const before = new Map<string, Layers>();
  for (const { id } of world.teams) before.set(id, await layersOf(world, id));
  await OPERATIONS[name]?.(world, it);
  await notified(world.account.accountId);
  const expected: string[] = [];
  for (const team of world.teams) {
    const was = before.get(team.id);
    if (!was || !team.notifies) continue;
    const lines = changesBetween(world, was, await layersOf(world, team.id));
    if (lines.length > 0) expected.push([team.name, ...lines].join("\n"));
  }
  const actual = takeTexts().map(readNotice);
  expect(actual.sort(), `${name} ${JSON.stringify(it)}`).toEqual(expected.sort());
  return expected.length;
}

let turns = 0;

describe("handoff notifications match the changes of who is on call", () => {
  test("after any sequence of operations", async () => {
    const names = Object.keys(OPERATIONS);
    let changes = 0;
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), async (steps) => {
        pages.splice(0);
        const world = await makeWorld();
        // The first steps create events, so that somebody is on call.
        for (const [i, it] of steps.entries()) {
          const name = i < 3 ? "createEvent" : (names[it.what % names.length] ?? "");
          const changed = await runAndCompare(world, name, i < 2 ? { ...it, from: -1 } : it);
          changes += changed;
          if (changed > 0) seen.add(name);
        }
      }),
      { numRuns: CASES },
    );
    expect(changes).toBeGreaterThan(0);
    expect(seen.size).toBeGreaterThan(sized(1, 5));
  });

  test.each(Object.keys(OPERATIONS))("after %s", async (name) => {
    const world = await makeWorld();
    const plainStep = {
      what: 0,
      on: 0,
      who: 0,
      other: 1,
      from: -1,
      hours: 9,
      layer: 1,
      series: false,
    };
    await runAndCompare(world, "createEvent", plainStep);
    await runAndCompare(world, "createEvent", { ...plainStep, from: -2, series: true, who: 2 });
    turns += 1;
    for (const on of selectSome([0, 1], 1, turns))
      await runAndCompare(world, name, { ...plainStep, on, who: 4 });
  });
});

// ── Every route ──

describe("routes that write", () => {
  const writing = routes.filter(({ method }) => method !== "GET");

  /**
   * Logs the changes of who is on call that D1 triggers record: a change is deleted once it is
   * notified. That an absence asks, or when a person gets their digests, is recorded too, and changes
   * nobody's shifts.
   */
  async function logChanges(): Promise<void> {
    await env.DB.batch([
      env.DB.prepare("create table noted (account_id text)"),
      env.DB.prepare(`create trigger note after insert on on_call_changes
        when new.kind not in ('absence', 'person') begin insert into noted values (new.account_id); end`),
    ]);
    onTestFinished(async () => {
      await env.DB.batch([env.DB.prepare("drop trigger note"), env.DB.prepare("drop table noted")]);
    });
  }

  async function countOf(
    { accountId }: Inhabited,
    table: "noted" | "on_call_changes",
  ): Promise<number> {
    const query = `select count(*) as n from ${table} where account_id = ?`;
    return (await env.DB.prepare(query).bind(accountId).first<{ n: number }>())?.n ?? -1;
  }

  test("notify of every change, and only the operations above change who is on call", async () => {
    const world = await makeInhabited("lighthouse");
    await notified(world.accountId);
    await logChanges();
    const changing: string[] = [];
    const last = (it: Route) => Number(it.method === "DELETE");
    for (const route of writing.toSorted((one, other) => last(one) - last(other))) {
      const { of, query, body } = sampleOf(route.operation);
      const id = of === undefined ? "" : world.ids[of].id;
      const path = route.path.replace(":id", id) + (query ? `?${query}` : "");
      const given = body?.(world);
      const before = await countOf(world, "noted");
      await plain(world, route.method, path, given === undefined ? {} : { body: given });
      const expectAllNotified = async () =>
        expect(await countOf(world, "on_call_changes"), route.operation).toBe(0);
      await vi.waitFor(expectAllNotified, soon);
      if ((await countOf(world, "noted")) > before) changing.push(route.operation);
    }
    expect(changing.length).toBeGreaterThan(8);
    expect(changing.filter((operation) => !(operation in OPERATIONS))).toEqual([]);
  });
});

// ── Crashes ──

describe("a change whose worker crashed after the write", () => {
  async function onCallWorld() {
    const account = await makeAccount("Ada Admin");
    const { accountUserId } = await makePerson(account, "Grace");
    const team = await makeTeam(account, [{ seconds: 60, people: [accountUserId] }]);
    const body = { handoff_notifications: "team_admins" };
    expect((await account.api("PUT", `/teams/${team.id}`, body)).status).toBe(200);
    await notified(account.accountId);
    return { account, accountUserId, team };
  }

  test("is notified once by the sweep", async () => {
    const { account, accountUserId } = await onCallWorld();
    await env.DB.prepare("delete from account_users where id = ?").bind(accountUserId).run();
    expect(takeTexts()).toEqual([]);
    await Promise.all([sweep(env, Date.now()), sweep(env, Date.now())]);
    expect(takeTexts().map(readNotice)).toEqual([
      "Payments\nStep 1: nobody on call, Grace off call",
    ]);
    await sweep(env, Date.now());
    expect(takeTexts()).toEqual([]);
    await notified(account.accountId);
  });

  test("is notified by the account's next write", async () => {
    const { account, team, accountUserId } = await onCallWorld();
    await env.DB.prepare("delete from events where account_id = ?").bind(account.accountId).run();
    expect(takeTexts()).toEqual([]);
    await account.api("PUT", `/schedules/${team.scheduleId}`, { name: "Renamed" });
    await notified(account.accountId);
    expect(takeTexts().map(readNotice)).toEqual([
      "Payments\nStep 1: nobody on call, Grace off call",
    ]);
    expect(accountUserId).not.toBe("");
  });

  test("is notified after the database can be read again", async () => {
    const { account, team } = await onCallWorld();
    const failing = vi
      .spyOn(Object.getPrototypeOf(env.DB), "batch")
      .mockImplementation(async () => {
        throw new Error("D1_ERROR: Network connection lost.");
      });
    await env.DB.prepare("delete from events where account_id = ?").bind(account.accountId).run();
    await env.DB.prepare("update schedules set name = 'x' where id = ?")
      .bind(team.scheduleId)
      .run();
    await expect(sweep(env, Date.now())).rejects.toThrow("connection lost");
    failing.mockRestore();
    expect(takeTexts()).toEqual([]);
    await sweep(env, Date.now());
    expect(takeTexts()).toHaveLength(1);
  });
});

describe("going off call into a gap", () => {
  test("notifies the person who goes off call if the setting is oncall_rotation", async () => {
    const account = await makeAccount();
    const { accountUserId } = await makePerson(account, "Grace");
    const team = await makeTeam(account, [{ seconds: 60, people: [] }]);
    const body = { handoff_notifications: "oncall_rotation" };
    await account.api("PUT", `/teams/${team.id}`, body);
    // The team's object notifies only of changes after the first one that it has processed.
    await notified(account.accountId);
    const event = await putOnCall(account, team.scheduleId, 1, [accountUserId]);
    await notified(account.accountId);
    expect(pages.map(({ page }) => page.accountUserId)).toEqual([accountUserId]);
    pages.splice(0);
    await account.api("DELETE", `/events/${event}`);
    await notified(account.accountId);
    expect(pages.map(({ page }) => page.accountUserId)).toEqual([accountUserId]);
  });
});
