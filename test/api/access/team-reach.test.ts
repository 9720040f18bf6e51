// A team admin's permissions end at the team (contract 1, Roles). In generated accounts, teams share schedules,
// policies and events, and one person without an account role sends generated requests. None of these requests may
// change who is paged for a team that the person does not administer.
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isRefusal } from "../../../src/domain/shared/refusal.ts";
import { openSession } from "../../../src/kernel/db/database.ts";
import { newId } from "../../../src/kernel/db/identifiers.ts";
import { assertPrecondition } from "../../../src/kernel/db/precondition.ts";
import type { ApiRequest } from "../../../src/kernel/http/route.ts";
import { routes } from "../../../src/routes.ts";
import { type Account, makeAccount, type Reply } from "../../support/api/api.ts";
import { sized } from "../../support/generated/sizes.ts";
import { sampleOf } from "../../support/integrations/samples.ts";
import { addColleague, type Colleague } from "../../support/people/people.ts";
import { rowsOfAccount } from "../../support/worker/account-rows.ts";
import { type Inhabited, makeInhabited } from "../../support/worker/inhabited.ts";

const WORLDS = sized(2, 16);
const STEPS = 40;
const TEAMS = 3;
const DAY = 86_400_000;

const at = (days: number) => new Date(Date.UTC(2031, 2, 3) + days * DAY).toISOString();
const wallClock = (days: number) => at(days).slice(0, 16).replace("T", " ");
const WINDOW = `start=${at(-1).slice(0, 10)} 00:00:00&end=${at(9).slice(0, 10)} 00:00:00`;

type Numbers = readonly [number, number, number, number];
type Step = { readonly by: "person" | "admin"; readonly what: number; readonly with: Numbers };

const numbers = fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat());
const plans = fc.record({
  /** By team: whether the person administers it (third team only), and the schedule and policy it is assigned. */
  teams: fc.array(fc.tuple(fc.boolean(), fc.nat(), fc.nat()), {
    minLength: TEAMS,
    maxLength: TEAMS,
  }),
  /** By event: its schedules, as a bit mask. */
  events: fc.array(fc.integer({ min: 1, max: 15 }), { minLength: 3, maxLength: 5 }),
  steps: fc.array(
    fc.record({
      by: fc.constantFrom(
        "person" as const,
        "person" as const,
        "person" as const,
        "admin" as const,
      ),
      what: fc.nat(),
      with: numbers,
    }),
    { minLength: STEPS, maxLength: STEPS },
  ),
});

type World = {
  readonly account: Account;
  readonly person: Colleague;
  readonly other: Colleague;
  readonly teams: string[];
  /** One for each team, and one that no team uses at first. */
  readonly schedules: string[];
  readonly policies: string[];
  readonly events: string[];
};

const of = <Item>(list: readonly Item[], number: number) => list[number % list.length] as Item;
const some = <Item>(list: readonly Item[], bits: number) =>
  list.filter((_, at) => (bits >> at) % 2 === 1);

function bodyOf(reply: Reply): Reply["body"] {
  if (reply.status >= 300) throw new Error(reply.text);
  return reply.body;
}

const shiftOf = (scheduleIds: readonly string[], who: string, layer: number) => ({
  start_datetime: at(0),
  end_datetime: at(1),
  layer,
  time_zone: "UTC",
  repeat: true,
  frequency: 1,
  frequency_unit: "daily",
  schedule_ids: scheduleIds,
  account_user_ids: [who],
});

async function makeWorld(plan: { teams: [boolean, number, number][]; events: number[] }) {
  const account = await makeAccount();
  const { api } = account;
  const [person, other] = [await addColleague(account, "Pat"), await addColleague(account, "Olga")];
  const world: World = {
    ...{ account, person, other },
    ...{ teams: [], schedules: [], policies: [], events: [] },
  };
  for (let i = 0; i < TEAMS; i++) {
    const team = { member_account_user_ids: [account.accountUserId] };
    const body = { ...team, name: `Team ${i}`, admin_account_user_ids: [account.accountUserId] };
    const made = bodyOf(await api("POST", "/teams", body));
    world.teams.push(made.id);
    world.schedules.push(made.schedule_id);
    world.policies.push(made.escalation_policy_id);
  }
  world.schedules.push(bodyOf(await api("POST", "/schedules", { name: "Free" })).id);
  world.policies.push(bodyOf(await api("POST", "/escalation_policies", { name: "Free" })).id);
  for (const [i, bits] of plan.events.entries()) {
    const body = shiftOf(some(world.schedules, bits), of([other, person], i).id, 1 + (i % 2));
    world.events.push(bodyOf(await api("POST", "/events", body)).id);
  }
  for (const [i, [isAdmin, schedule, policy]] of plan.teams.entries()) {
    // The person always administers the first team, and never the second.
    const isTheirs = i === 0 || (isAdmin && i !== 1);
    const admins = [account.accountUserId, ...(isTheirs ? [person.id] : [])];
    const body = {
      admin_account_user_ids: admins,
      // Half of the teams use the schedule or policy of another team.
      ...(schedule % 2 === 0 && { schedule_id: of(world.schedules, schedule >> 1) }),
      ...(policy % 2 === 0 && { escalation_policy_id: of(world.policies, policy >> 1) }),
    };
    bodyOf(await api("PUT", `/teams/${world.teams[i]}`, body));
  }
  return world;
}

type RequestArguments = readonly [method: string, path: string, body?: Record<string, unknown>];

/** Every request that can change who is on call, or that must be refused to a team admin. */
const REQUESTS: readonly ((world: World, with_: Numbers) => RequestArguments)[] = [
  (w, [a, b]) => ["PUT", `/teams/${of(w.teams, a)}`, { schedule_id: of(w.schedules, b) }],
  (w, [a, b]) => ["PUT", `/teams/${of(w.teams, a)}`, { escalation_policy_id: of(w.policies, b) }],
  (w, [a, b, c]) => [
    "PUT",
    `/teams/${of(w.teams, a)}`,
    { schedule_id: of(w.schedules, b), escalation_policy_id: of(w.policies, c) },
  ],
  (w, [a]) => ["PUT", `/teams/${of(w.teams, a)}`, { admin_account_user_ids: [w.person.id] }],
  (w, [a]) => ["PUT", `/teams/${of(w.teams, a)}`, { member_account_user_ids: [w.person.id] }],
  (w, [a, b]) => [
    "POST",
    "/teams",
    {
      name: "Mine",
      member_account_user_ids: [w.person.id],
      admin_account_user_ids: [w.person.id],
      schedule_id: of(w.schedules, a),
      escalation_policy_id: of(w.policies, b),
    },
  ],
  (w, [a]) => ["DELETE", `/teams/${of(w.teams, a)}`],
  (w, [a]) => ["DELETE", `/schedules/${of(w.schedules, a)}/flush`],
  (w, [a]) => ["DELETE", `/schedules/${of(w.schedules, a)}`],
  (w, [a]) => ["DELETE", `/escalation_policies/${of(w.policies, a)}`],
  (w, [a, b]) => [
    "PUT",
    `/escalation_policies/${of(w.policies, a)}`,
    {
      escalation_layers_attributes: [{ layer: 3 + (b % 90), timeout: 1 + (b % 9) }],
      repeat: b % 4,
    },
  ],
  (w, [a, b]) => [
    "PUT",
    `/escalation_policies/${of(w.policies, a)}`,
    { reassign_team_ids: some(w.teams, b), reassign_account_user_ids: [w.person.id] },
  ],
  (w, [a, b]) => ["POST", "/events", shiftOf(some(w.schedules, a % 16), w.person.id, 1 + (b % 2))],
  (w, [a]) => ["POST", "/events", shiftOf([of(w.schedules, a)], w.person.id, 1)],
  (w, [a, b]) => [
    "POST",
    "/events",
    {
      ...shiftOf([], w.person.id, 1),
      ...{ repeat: false, parent_id: of(w.events, a), schedule_ids: undefined },
      ...{ start_datetime: at(b % 5), end_datetime: at((b % 5) + 0.5) },
    },
  ],
  (w, [a]) => ["PUT", `/events/${of(w.events, a)}`, { account_user_ids: [w.person.id] }],
  (w, [a, b]) => ["PUT", `/events/${of(w.events, a)}`, { layer: 1 + (b % 2) }],
  (w, [a, b]) => ["PUT", `/events/${of(w.events, a)}`, { schedule_ids: some(w.schedules, b % 16) }],
  (w, [a, b]) => ["PUT", `/events/${of(w.events, a)}`, { schedule_ids: [of(w.schedules, b)] }],
  (w, [a]) => ["DELETE", `/events/${of(w.events, a)}`],
  (w, [a, b]) => [
    "POST",
    `/events/${of(w.events, a)}/override`,
    {
      start_time: wallClock(b % 5),
      end_time: wallClock((b % 5) + 0.5),
      layer: 1,
      time_zone: "UTC",
      account_user_ids: [w.person.id],
      action_time: at(b % 5),
    },
  ],
  (w, [a, b]) => ["POST", `/events/${of(w.events, a)}/add_exception`, { action_time: at(b % 5) }],
  (w, [a, b]) => [
    "POST",
    `/events/${of(w.events, a)}/terminate_on`,
    { action_time: at(1 + (b % 5)) },
  ],
  (w, [a]) => ["DELETE", `/account_users/${of([w.other.id, w.account.accountUserId], a)}`],
  (w, [a]) => ["PUT", `/account_users/${w.person.id}`, { team_ids: [of(w.teams, a)] }],
];

/** An account admin's requests in between: move teams and events, and make the person a team admin or not. */
const ADMIN_REQUESTS: readonly ((world: World, with_: Numbers) => RequestArguments)[] = [
  ...[REQUESTS[0], REQUESTS[1], REQUESTS[2], REQUESTS[13], REQUESTS[17]].flatMap((it) => it ?? []),
  (w, [a, b]) => [
    "PUT",
    `/teams/${of(w.teams, a)}`,
    { admin_account_user_ids: [w.account.accountUserId, ...(b % 2 === 0 ? [w.person.id] : [])] },
  ],
];

/** Who is paged for each team that the person does not administer: its policy, shifts and an alert's preview. */
async function pagedFor({ account: { api }, teams, person }: World): Promise<Map<string, unknown>> {
  const all = await Promise.all(teams.map(async (id) => bodyOf(await api("GET", `/teams/${id}`))));
  const others = all.filter((team) => !team.admin_account_user_ids.includes(person.id));
  const read = others.map(async (team) => {
    const [policy, now, shifts, preview] = await Promise.all([
      api("GET", `/escalation_policies/${team.escalation_policy_id}`),
      api("GET", `/teams/${team.id}/current_oncall`),
      api("GET", `/schedules/${team.schedule_id}/window_events?${WINDOW}`),
      api("POST", "/alerts/preview", {
        ...{ title: "Who?", urgency: "high", at: at(2.25), destination_team_ids: [team.id] },
      }),
    ]);
    const { team_ids: _, updated_at: __, ...paging } = bodyOf(policy);
    const { schedule_id, escalation_policy_id } = team;
    const assigned = { schedule_id, escalation_policy_id };
    // `paging` includes the policy's reassignments. What the reassigned teams then do is not compared here.
    const pages = bodyOf(preview).pages.filter((page: any) => page.destination_id === team.id);
    return [
      team.id,
      { assigned, paging, now: bodyOf(now), shifts: bodyOf(shifts), pages },
    ] as const;
  });
  return new Map(await Promise.all(read));
}

/** Runs the steps in sequence, and compares after each allowed request of the person. */
async function play(world: World, steps: readonly Step[], count: (outcome: string) => void) {
  let paged = await pagedFor(world);
  const compare = async (label: string) => {
    const after = await pagedFor(world);
    // Fails too if the person became an admin of the team: only account admins may do that.
    for (const [team, was] of paged) expect(after.get(team), `${label} (${team})`).toEqual(was);
  };
  for (const { by, what, with: given } of steps) {
    const isPerson = by === "person";
    const [method, path, body] = of(isPerson ? REQUESTS : ADMIN_REQUESTS, what)(world, given);
    if (!isPerson) await compare("refused requests");
    const reply = await (isPerson ? world.person : world.account).api(method, path, body);
    expect(reply.status, reply.text).toBeLessThan(500);
    if (path === "/events" && reply.status === 201) world.events.push(reply.body.id);
    const isDone = reply.status < 300;
    count(`${by} ${isDone ? "did" : "was refused"}`);
    if (isPerson && isDone) await compare(`${method} ${path} ${JSON.stringify(body)}`);
    if (!isPerson) paged = await pagedFor(world);
  }
  await compare("refused requests");
}

test("a person's requests do not change who is paged for a team that they do not administer", async () => {
  const outcomes = new Map<string, number>();
  const property = fc.asyncProperty(plans, async (plan) => {
    const count = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    await play(await makeWorld(plan), plan.steps, count);
  });
  // No shrinking, because each run takes seconds.
  await fc.assert(property, { numRuns: WORLDS, endOnFailure: true });
  expect(outcomes.get("person did"), "something is allowed").toBeGreaterThan(0);
  expect(outcomes.get("person was refused"), "something is refused").toBeGreaterThan(0);
});

test("only one of two team admins who concurrently assign the same unused schedule succeeds", async () => {
  const account = await makeAccount();
  const { api } = account;
  const admins = [await addColleague(account, "Pat"), await addColleague(account, "Olga")];
  const teams = await Promise.all(
    admins.map(async ({ id }, i) => {
      const people = { member_account_user_ids: [id], admin_account_user_ids: [id] };
      return bodyOf(await api("POST", "/teams", { name: `Team ${i}`, ...people })).id;
    }),
  );
  for (let i = 0; i < sized(3, 20); i++) {
    const schedule_id = bodyOf(await api("POST", "/schedules", { name: "Free" })).id;
    const escalation_policy_id = bodyOf(
      await api("POST", "/escalation_policies", { name: "F" }),
    ).id;
    const replies = await Promise.all(
      admins.map((admin, at) =>
        admin.api("PUT", `/teams/${teams[at]}`, { schedule_id, escalation_policy_id }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 403]);
  }
});

let inhabited: Promise<Inhabited> | null = null;

const guarded = routes.filter(
  ({ allow, method, path }) =>
    ["team_admin", "team_member", "owner"].includes(allow) &&
    method !== "PATCH" &&
    !path.includes("/preview_"),
);

test.each(guarded.map((route) => [`${route.method} ${route.path}`, route] as const))(
  "%s writes nothing if the role is revoked between check and write",
  async (_, route) => {
    inhabited ??= makeInhabited("guarded");
    const world = await inhabited;
    const sample = sampleOf(route.operation);
    const id = sample.of ? world.ids[sample.of].id : "";
    const body = route.body?.safeParse(sample.body?.(world) ?? {});
    if (body && !body.success) throw body.error;
    // A member takes over shifts of others only.
    const isMember = route.allow === "team_member";
    const actorId = isMember ? (await addColleague(world, "Tom")).id : world.accountUserId;
    const request: ApiRequest = {
      env,
      db: openSession(env.DB, null, true),
      actor: {
        kind: "key",
        accountId: world.accountId,
        accountUserId: actorId,
        userId: "",
        name: "",
        credentialId: "",
        readOnly: false,
        isOwnCredential: true,
        roles: { admin: false, billing: false, broadcaster: false, communicator: false },
      },
      now: Date.now(),
      requestId: "",
      recordId: newId(Date.now()),
      origin: "https://tocsin.test",
      longestPage: 100,
      params: { id, change_id: world.ids.change.id },
      query: new URLSearchParams(),
      body: body?.data ?? {},
      stillAllowed: [assertPrecondition(sql`0`)],
      waitUntil: () => {},
    };
    const storedRows = () =>
      rowsOfAccount(world.accountId, (table) =>
        /^(teams|schedules|esc|event|exerc|notification_rules)/.test(table),
      );
    const before = await storedRows();
    const answer = await route.handle(request);
    expect(isRefusal(answer) && answer.reason).toBe("conflict");
    expect(await storedRows()).toEqual(before);
  },
);
