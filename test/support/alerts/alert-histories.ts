// Random histories of an alert: destinations that reassign to each other, and the possible steps,
// with the time that passes before each.
import fc from "fast-check";
import { expect } from "vitest";
import type { AlertUrgency } from "../../../src/domain/alerts/alert.ts";
import type { AlertDraft } from "../../../src/domain/alerts/commands.ts";
import { makeAccount } from "../api/api.ts";
import { makePerson, makeTeam } from "../worker/world.ts";
import type { ModelDestination } from "./alert-model-types.ts";

const DAY = 86_400_000;

// ── The world: two teams that reassign to each other, a team with nobody on call, and a person ──

const NAMES = ["ann", "bob", "cid", "dan", "eve"] as const;
export type World = Awaited<ReturnType<typeof makeWorld>>;

export async function makeWorld() {
  const account = await makeAccount("ada");
  const people = new Map<string, string>([["ada", account.accountUserId]]);
  for (const name of NAMES) people.set(name, (await makePerson(account, name)).accountUserId);
  const idOf = (name: string) => people.get(name) as string;
  const until = Date.now() + DAY;
  const reason = `on call until ${new Date(until).toISOString()}`;
  const all = new Map<string, ModelDestination>();
  const add = async (
    team: Pick<ModelDestination, "name" | "layers" | "repeat"> & { drops: readonly string[] },
  ) => {
    const { name, layers, repeat, drops } = team;
    const teamLayers = layers.map(({ people: named, minutes }) => ({
      seconds: minutes * 60,
      people: named.map(idOf),
    }));
    const created = await makeTeam(account, teamLayers, { repeat, name });
    const members = [...new Set([idOf("ada"), ...teamLayers.flatMap((it) => it.people)])];
    const audience = drops.length === 0 ? "none" : drops.length === 1 ? "team_admins" : "team_all";
    await account.api("PUT", `/teams/${created.id}`, { drop_notifications: audience });
    const modelLayers = layers.map(({ minutes }, i) => ({
      minutes,
      people: teamLayers[i]?.people ?? [],
    }));
    const known = { id: created.id, name, repeat, layers: modelLayers, members, reason, until };
    const toldOfDrops = { none: [], team_admins: [idOf("ada")], team_all: members }[audience] ?? [];
    return { ...known, toldOfDrops, policyId: created.policyId };
  };
  const payments = await add({
    name: "Payments",
    repeat: 1,
    drops: NAMES,
    layers: [
      { people: ["ann", "bob"], minutes: 5 },
      { people: [], minutes: 5 },
      { people: ["cid"], minutes: 10 },
    ],
  });
  const network = await add({
    name: "Network",
    repeat: 0,
    drops: ["ada"],
    layers: [
      { people: ["dan", "ann"], minutes: 5 },
      { people: ["bob"], minutes: 15 },
    ],
  });
  const empty = await add({
    name: "Nobody",
    repeat: 2,
    drops: [],
    layers: [{ people: [], minutes: 5 }],
  });
  const eve: ModelDestination = {
    id: idOf("eve"),
    name: "eve",
    layers: [{ people: [idOf("eve")], minutes: 10 }],
    repeat: 0,
    members: [idOf("eve")],
    toldOfDrops: [],
    reassign: [],
    reason: "named directly",
    until: Number.POSITIVE_INFINITY,
  };
  const reassign = async (policyId: string, teams: string[], persons: string[]) => {
    const to = { reassign_team_ids: teams, reassign_account_user_ids: persons };
    const { status, text } = await account.api("PUT", `/escalation_policies/${policyId}`, to);
    expect(status, text).toBe(200);
    return [...persons, ...teams];
  };
  const toNetwork = await reassign(payments.policyId, [network.id], []);
  const onwards = await reassign(network.policyId, [payments.id, empty.id], [eve.id]);
  all.set(payments.id, { ...payments, reassign: toNetwork });
  all.set(network.id, { ...network, reassign: onwards });
  all.set(empty.id, { ...empty, reassign: [] });
  all.set(eve.id, eve);
  const nameOf = (id: string) => [...people].find(([, it]) => it === id)?.[0] ?? id;
  return { account, all, idOf, nameOf, order: [payments.id, network.id, empty.id, eve.id] };
}

// ── Histories ──

export type Step =
  | {
      readonly type: "create";
      readonly back: number;
      readonly more: number;
      /** Absent: as the draft. */
      readonly urgency?: AlertUrgency;
      readonly names?: readonly string[];
    }
  | { readonly type: "acknowledge" | "resolve"; readonly who: string | null }
  | { readonly type: "reject" | "delete" | "change"; readonly who: string }
  | {
      readonly type: "handoff" | "responders";
      readonly who: string;
      readonly to: readonly number[];
    }
  | { readonly type: "reopen" | "escalate" | "undo"; readonly who: string }
  | { readonly type: "snooze"; readonly who: string; readonly minutes: number }
  | { readonly type: "confirm"; readonly page: number; readonly failed: boolean }
  | { readonly type: "tick" };

const person = fc.constantFrom("ada", ...NAMES);
const anybody = fc.oneof({ weight: 4, arbitrary: person }, fc.constant(null));
const destinations = fc.subarray([0, 1, 2, 3], { minLength: 1, maxLength: 2 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    // How far back the event's sequences reach and how many are new, so that some overlap.
    arbitrary: fc.record(
      {
        type: fc.constant("create"),
        back: fc.nat(3),
        more: fc.nat(2),
        urgency: fc.constantFrom("low", "high", "critical"),
        names: fc.subarray(["web1", "web2", "db1"]),
      },
      { requiredKeys: ["type", "back", "more"] },
    ),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("acknowledge"), who: anybody }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("resolve"), who: anybody }) },
  { weight: 6, arbitrary: fc.record({ type: fc.constant("reject"), who: person }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant("handoff"), who: person, to: destinations }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant("confirm"), page: fc.nat(9), failed: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant("responders"), who: person, to: destinations }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("snooze"),
      who: person,
      minutes: fc.constantFrom(0, 5, 10, 60, 30 * 1_440, 30 * 1_440 + 1),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("escalate"), who: person }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("reopen"), who: person }) },
  { weight: 5, arbitrary: fc.record({ type: fc.constant("undo"), who: person }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("change"), who: person }) },
  { weight: 12, arbitrary: fc.record({ type: fc.constant("tick") }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("delete"), who: person }) },
) as fc.Arbitrary<Step>;

/** Minutes before each step: exactly a layer's time-out, less, more, and after all shifts ended. */
const wait = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(0, 1, 5, 10) },
  { weight: 2, arbitrary: fc.constantFrom(4.999, 15, 31, 61) },
  { weight: 1, arbitrary: fc.constant(25 * 60) },
);
const timed = fc.record({ step, wait });
/** Mostly short histories; sometimes a long one that drops and reopens repeatedly. */
const steps = fc.oneof(
  { weight: 9, arbitrary: fc.array(timed, { minLength: 2, maxLength: 7 }) },
  { weight: 1, arbitrary: fc.array(timed, { minLength: 8, maxLength: 24 }) },
);
/** The steps of one history, and its alert's destinations. */
export const histories = fc.record({
  to: destinations,
  silent: fc.integer({ min: 0, max: 7 }).map((it) => it === 0),
  steps,
});

export const SENDER = { id: null, name: "integration Monitoring" };

/** The create command of a history, with its destinations. */
export function draftOf(
  { account, all }: World,
  id: string,
  to: readonly string[],
  silent: boolean,
) {
  const isPerson = (it: string) => all.get(it)?.reason === "named directly";
  return {
    id,
    accountId: account.accountId,
    source: { type: "Integration", id: "monitoring", name: "Monitoring", logId: null },
    thirdpartyId: "disk",
    dedupKeys: [],
    destinations: {
      teamIds: to.filter((it) => !isPerson(it)),
      routerIds: [],
      accountUserIds: to.filter(isPerson),
    },
    title: "Disk full",
    description: null,
    urgency: silent ? "silent" : "high",
    tags: [],
    meta: {},
    additionalData: [],
    log: null,
    maintenance: null,
    requestId: null,
    autoResolveMs: null,
  } as const satisfies AlertDraft;
}

export type History = typeof histories extends fc.Arbitrary<infer Value> ? Value : never;
