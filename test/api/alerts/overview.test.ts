// What the list of alerts shows beside its records: who has each alert and who is next, as the alert
// itself says; whose alerts it lists; and in which order.
import { beforeAll, describe, expect, test } from "vitest";
import { type Account, call, makeAccount } from "../../support/api/api.ts";
import { fewestTrips } from "../../support/worker/round-trips.ts";
import { makePerson, makeTeam, type Person, type Team } from "../../support/worker/world.ts";

type Made = { readonly id: string; readonly prefix_id: string };

let account: Account;
let [ann, bob, eve]: Person[] = [];
let team: Team;
let other: Team;

const raise = async (urgency: string, to: object = { destination_team_ids: [team.id] }) => {
  const { body, status, text } = await account.api("POST", "/alerts", {
    ...{ title: `${urgency} alert`, urgency },
    ...to,
  });
  expect(status, text).toBe(201);
  return body as Made;
};

const act = async (person: Person | undefined, { id }: Made, step: string, body: object = {}) => {
  const key = person?.key ?? "";
  const reply = await call("POST", `/api/v4/alerts/${id}/${step}`, { key, body });
  expect(reply.status, reply.text).toBe(200);
};

const read = async (query = "", key?: string) => {
  const path = `/alerts/overview?limit=100${query}`;
  const reply = key ? await call("GET", `/api/v4${path}`, { key }) : await account.api("GET", path);
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
};

const progressOf = async ({ id }: Made, query?: string) =>
  (await read(query)).progress.find((it: { alert_id: string }) => it.alert_id === id);

beforeAll(async () => {
  account = await makeAccount();
  const names = ["Ann", "Bob", "Eve"];
  [ann, bob, eve] = await Promise.all(names.map((name) => makePerson(account, name)));
  team = await makeTeam(account, [
    { seconds: 600, people: [ann?.accountUserId ?? ""] },
    { seconds: 600, people: [bob?.accountUserId ?? ""] },
  ]);
  other = await makeTeam(account, [{ seconds: 600, people: [eve?.accountUserId ?? ""] }]);
});

describe("the progress of a page of alerts", () => {
  test("has who acknowledged, whether they were asked or not", async () => {
    const [asked, unasked] = [await raise("high"), await raise("high")];
    await act(ann, asked, "acknowledge");
    await act(eve, unasked, "acknowledge");
    for (const [alert, person] of [
      [asked, ann],
      [unasked, eve],
    ] as const) {
      const progress = await progressOf(alert);
      expect(progress).toMatchObject({
        acknowledged_by_id: person?.accountUserId,
        next_steps: [],
      });
      expect(Date.now() - Date.parse(progress.acknowledged_at)).toBeLessThan(60_000);
    }
    await act(bob, asked, "snooze", { until: new Date(Date.now() + 3_600_000).toISOString() });
    expect((await progressOf(asked)).acknowledged_by_id).toBe(ann?.accountUserId);
    await act(ann, unasked, "handoff", { destination_team_ids: [team.id] });
    expect(await progressOf(unasked)).toMatchObject({ acknowledged_by_id: null });
  });

  test("has the same next steps as each alert, on every page, in one round trip", async () => {
    const destinations = [
      { destination_team_ids: [team.id, other.id] },
      { destination_account_user_ids: [eve?.accountUserId] },
    ];
    const made = [];
    for (const to of destinations) made.push(await raise("low", to));
    for (const alert of made) {
      const { body } = await account.api("GET", `/alerts/${alert.id}/next_steps`);
      expect(body.length).toBeGreaterThan(0);
      expect((await progressOf(alert)).next_steps).toEqual(body);
    }
    const [newest] = made.toReversed();
    const first = await account.api("GET", "/alerts/overview?limit=1");
    expect(first.body.progress.map((it: { alert_id: string }) => it.alert_id)).toEqual([
      newest?.id,
    ]);
    expect((await fewestTrips(1, () => account.api("GET", "/alerts/overview"))).trips).toBe(1);
  });
});

describe("the scope of a list of alerts", () => {
  const idsOf = async (query: string, person: Person | undefined) => {
    const reply = await call("GET", `/api/v4/alerts?limit=100&${query}`, {
      key: person?.key ?? "",
    });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body.total_count).toBe(reply.body.data.length);
    return reply.body.data.map((it: Made) => it.id) as string[];
  };

  test("is what asks its reader or is acknowledged by them, their teams', or one team's", async () => {
    const mine = await raise("high", { destination_account_user_ids: [bob?.accountUserId] });
    const teams = await raise("medium");
    const others = await raise("medium", { destination_team_ids: [other.id] });
    const taken = await raise("medium", { destination_team_ids: [other.id] });
    await act(bob, taken, "acknowledge");
    const all = [mine, teams, others, taken].map(({ id }) => id);
    const shown = async (query: string, person = bob) => {
      const ids = await idsOf(query, person);
      return all.filter((id) => ids.includes(id));
    };
    expect(await shown("scope=my_teams", eve)).toEqual([others.id, taken.id]);
    const members = { member_account_user_ids: [bob?.accountUserId, eve?.accountUserId] };
    const joined = await account.api("PATCH", `/teams/${team.id}`, members);
    expect(joined.status, joined.text).toBe(200);
    expect(await shown("scope=my_teams", eve)).toEqual([teams.id, others.id, taken.id]);
    expect(await shown("scope=mine")).toEqual([mine.id, taken.id]);
    expect(await shown("scope=my_teams")).toEqual([mine.id, teams.id, taken.id]);
    expect(await shown(`scope=${other.id}`)).toEqual([others.id, taken.id]);
    expect(await shown("")).toEqual(all);
    // Whoever is on call is asked; what they reject, hand off, or others take is not theirs.
    expect(await shown("scope=mine", eve)).toEqual([others.id]);
    await act(eve, others, "reject");
    expect(await shown("scope=mine", eve)).toEqual([]);
    await act(bob, taken, "handoff", { destination_team_ids: [team.id] });
    expect(await shown("scope=mine")).toEqual([mine.id]);
    expect(await shown("scope=my_teams")).toEqual([mine.id, teams.id, taken.id]);
    const overview = await read("&scope=mine", bob?.key);
    expect(overview.progress.map((it: { alert_id: string }) => it.alert_id)).toContain(mine.id);
  });

  test("is refused if it is unknown, by the list and by a bulk operation", async () => {
    const { status, body } = await account.api("GET", "/alerts?scope=everybody");
    expect([status, body.errors[0].field]).toEqual([422, "scope"]);
    const filter = { scope: "everybody" };
    const bulk = await account.api("POST", "/bulk_operations", { action: "resolve", filter });
    expect([bulk.status, bulk.body.errors[0].field]).toEqual([422, "filter.scope"]);
  });

  test("limits a bulk operation", async () => {
    const alert = await raise("silent", { destination_account_user_ids: [eve?.accountUserId] });
    const filter = { scope: "mine", urgency: "silent" };
    const body = { action: "resolve", filter };
    const none = await account.api("POST", "/bulk_operations", body);
    expect(none.body.total_count).toBe(0);
    const own = await call("POST", "/api/v4/bulk_operations", { key: eve?.key ?? "", body });
    expect([own.status, own.body.total_count]).toEqual([201, 1]);
    expect(alert.id).toHaveLength(26);
  });
});

test("sort=attention has what needs somebody first: the most urgent, then the oldest", async () => {
  account = await makeAccount();
  ann = await makePerson(account, "Ann");
  team = await makeTeam(account, [{ seconds: 600, people: [ann.accountUserId] }]);
  const made: Record<string, Made> = {};
  for (const [name, urgency] of [
    ["old low", "low"],
    ["old high", "high"],
    ["taken", "critical"],
    ["over", "critical"],
    ["slept", "critical"],
    ["new high", "high"],
    ["critical", "critical"],
  ] as const) {
    made[name] = await raise(urgency);
  }
  const of = (name: string) => made[name] as Made;
  await act(ann, of("taken"), "acknowledge");
  await act(ann, of("over"), "resolve");
  await act(ann, of("slept"), "snooze", { until: new Date(Date.now() + 3_600_000).toISOString() });
  const { body } = await account.api("GET", "/alerts?sort=attention&limit=100");
  const names = body.data.map(({ id }: Made) => Object.keys(made).find((it) => of(it).id === id));
  expect(names).toEqual([
    ...["critical", "old high", "new high", "old low"],
    ...["taken", "slept", "over"],
  ]);
});

test("the counts are those of the lists, by status and scope, with the filters", async () => {
  const [me, mate] = [await makePerson(account, "Me"), await makePerson(account, "Mate")];
  other = await makeTeam(account, [{ seconds: 600, people: [me.accountUserId] }]);
  const { id } = other;
  const shared = { member_account_user_ids: [me.accountUserId, mate.accountUserId] };
  await account.api("PATCH", `/teams/${id}`, shared);
  const own = await raise("low", { destination_team_ids: [id] });
  await act(mate, own, "acknowledge");
  await raise("low", { destination_team_ids: [id] });
  for (const filter of ["", "&urgency=low", "&q=alert", `&scope=${id}`, "&status=open"]) {
    const { counts, resolved_count } = await read(filter, me.key);
    const total = async (query: string) => {
      const path = `/api/v4/alerts?limit=1${filter.replace(/&(status|scope)=\w+/, "")}&${query}`;
      return (await call("GET", path, { key: me.key })).body.total_count;
    };
    const isPlain = filter === "" || filter === "&status=open";
    expect(resolved_count, filter).toBe(isPlain ? await total("status=resolved") : null);
    expect(counts.length).toBeGreaterThan(0);
    for (const { status, ...numbers } of counts) {
      const [all, mine, teams] = filter.startsWith("&scope=")
        ? [await total(`status=${status}&scope=${id}`)]
        : await Promise.all(
            ["", "&scope=mine", "&scope=my_teams"].map((it) => total(`status=${status}${it}`)),
          );
      expect(numbers.all, `${filter} ${status}`).toBe(all);
      if (mine !== undefined) expect(numbers).toEqual({ all, mine, my_teams: teams });
    }
  }
});
