// The faults that generated sequences have found, each as a sequence of its own. Times are UTC unless a zone is named.
import type { Line } from "../../../support/oncall/roster-reference.ts";
import type { Change } from "./changes.ts";
import { DAY, HOUR } from "./clock.ts";
import type { Sequence, Step } from "./generator.ts";
import type { Rule } from "./recurrence.ts";

export type Case = Sequence & { readonly name: string };

/** A Monday. */
const START = Date.UTC(2031, 5, 2, 9);
/** Noon of a day, from the start on. */
const noon = (day: number) => START + day * DAY + 3 * HOUR;
/** 09:00 of a day. */
const nine = (day: number) => START + day * DAY;

const lineOf = (people: string): Line => [...people].map((it) => [it]);

const create = (key: string, people: string, rule: Partial<Rule>): Change => ({
  ...{ kind: "create", key, rotates: true, line: lineOf(people) },
  rule: {
    ...{
      start: START,
      end: START + DAY,
      zone: "UTC",
      layer: 1,
      priority: 0,
      unit: "daily",
      every: 1,
    },
    ...{ days: [], lastDay: null, restrictions: [], skipsAway: false },
    ...rule,
  },
});

type PeopleChange = Change & { kind: "people" };

const people = (series: string, line: string, when: PeopleChange["when"] = null): PeopleChange => ({
  ...{ kind: "people", series, line: lineOf(line), when },
});

/** Changes in the afternoon of the first day, a second after each other. */
const sequence = (changes: readonly Change[], start = noon(0)): Sequence => ({
  start,
  steps: changes.map((change): Step => ({ after: 1_000, change })),
});

const DAILY = create("s0", "ABC", {});
const WEEKLY = create("s0", "ABC", { unit: "weekly", start: nine(-7), end: nine(0) });
const OFFICE = create("s0", "ABC", { end: START + 8 * HOUR });

/** Monday and Saturday of one turn. */
const TWO_DAYS = { unit: "weekly", days: [1, 6] } as const;

const following = (at: number, patch: Partial<Rule>): Change & { kind: "following" } => ({
  ...{ kind: "following", series: "s0", key: "s1", at, patch },
});

const override = (from: number, to: number, who: string): Change => ({
  ...{ kind: "override", key: "o", of: "s0", at: from, from, to, layer: 1, people: who },
});

const FAULTS: readonly Case[] = [
  {
    name: "1: a series with a new frequency goes on with the turns when its people change before it begins",
    ...sequence([DAILY, following(nine(3), { every: 2 }), people("s1", "ABCD")]),
  },
  {
    name: "1: the same with another layer",
    ...sequence([DAILY, following(nine(3), { layer: 2 }), people("s1", "ABCD")]),
  },
  {
    name: "people who are changed again before their series begins go on with its turns",
    ...sequence([
      create("s0", "C", {}),
      { ...following(nine(3), {}), line: lineOf("FAD") },
      people("s1", "CFAD"),
    ]),
  },
  {
    name: "people from a shift on go on with the turns of before, not with those of a plan that they replace",
    ...sequence([
      create("s0", "DEFC", { start: nine(-1), end: nine(0) }),
      people("s0", "F"),
      { ...following(nine(1), {}), line: lineOf("DBAF") },
    ]),
  },
  {
    name: "the same people from a shift on are no change",
    ...sequence([DAILY, { ...following(nine(3), {}), line: lineOf("ABC") }, people("s0", "BC")]),
  },
  {
    name: "a feed has the shifts of everybody who serves at the same hours",
    ...sequence([
      create("s0", "AB", {
        ...{ unit: "weekly", end: nine(14) },
        restrictions: [{ days: [6, 0], start: 0, end: 24 * 60 }],
      }),
    ]),
  },
  {
    name: "an override of shifts before and after a change goes with both",
    ...sequence([
      DAILY,
      { ...override(nine(2), nine(4), "D"), layer: 2 } as Change,
      following(nine(3), { layer: 3 }),
      { ...override(nine(2), nine(4), "E"), key: "later" } as Change,
    ]),
  },
  {
    name: "an override that outlasts its series has the priority of the series",
    ...sequence([
      create("s0", "C", { unit: null, start: nine(-9), end: nine(-8), priority: 1 }),
      override(nine(-9), nine(-6), "E"),
      create("s1", "AB", { start: nine(-20), end: nine(-19) }),
      { kind: "rule", series: "s0", patch: { priority: 0 } },
    ]),
  },
  {
    name: "people who have taken effect stay so when the shift before becomes longer",
    start: noon(0),
    steps: [
      { after: 0, change: DAILY },
      { after: 0, change: people("s0", "BC") },
      { after: DAY, change: following(nine(0), { end: nine(1) + HOUR }) },
    ],
  },
  {
    name: "an occurrence that is removed does not change the turns of people planned from within it",
    ...sequence([
      create("s0", "F", {}),
      people("s0", "EC", noon(2)),
      { kind: "exception", series: "s0", at: nine(2) },
    ]),
  },
  {
    name: "with another frequency the people who are planned go on with the turns",
    ...sequence([DAILY, people("s0", "ADBC", nine(8)), following(nine(2), { every: 2 })]),
  },
  {
    name: "2: people for the instant of a planned change serve from then on",
    ...sequence([WEEKLY, people("s0", "ABCD", nine(21)), people("s0", "ABCDE", nine(21))]),
  },
  {
    name: "3: what is planned for a handoff moves with it to an earlier time",
    ...sequence([
      WEEKLY,
      people("s0", "BC", nine(14)),
      following(nine(7), { start: nine(7) - HOUR, end: nine(14) - HOUR }),
    ]),
  },
  {
    name: "3: what is planned for a handoff moves with it to a later time",
    ...sequence([
      WEEKLY,
      people("s0", "BC", nine(14)),
      following(nine(7), { start: nine(7) + HOUR, end: nine(14) + HOUR }),
    ]),
  },
  {
    name: "4: somebody who joins does not bring back who is planned to leave",
    ...sequence([
      WEEKLY,
      people("s0", "BC", nine(21)),
      { ...people("s0", "ABCD"), keepsPlans: true },
    ]),
  },
  {
    name: "7: the people of a series with a plan inside its first shift can be written again",
    ...sequence([
      DAILY,
      people("s0", "ABCDE", noon(14)),
      following(nine(14), { layer: 2 }),
      people("s1", "ABC"),
    ]),
  },
  {
    name: "7: somebody of a series with a plan after its first shift can leave",
    ...sequence([
      create("s0", "C", {}),
      people("s0", "DC", nine(6)),
      following(nine(3), { end: nine(4) - HOUR }),
      { kind: "leave_account", person: "D" },
    ]),
  },
];

/** A series with later versions: what changes before them goes on in them. */
const VERSIONS: readonly Case[] = [
  {
    // B's first earlier shift begins at 06:00; A, whom nobody else follows any more, has it.
    name: "people from the next handoff on have it also where a version moves it to an earlier hour",
    start: noon(0),
    steps: [
      { after: 0, change: create("s0", "AB", {}) },
      { after: 1_000, change: following(nine(3), { start: nine(3) - 3 * HOUR, end: nine(4) }) },
      { after: 2 * DAY, change: people("s0", "A") },
    ],
  },
  {
    name: "people from an instant on in the first shift of a version that begins earlier leave what is before",
    start: noon(0),
    steps: [
      { after: 0, change: create("s0", "AB", {}) },
      { after: 1_000, change: following(nine(3), { start: nine(3) - 3 * HOUR, end: nine(4) }) },
      { after: 2 * DAY, change: people("s0", "A", nine(3) - HOUR) },
    ],
  },
  {
    name: "a later version goes on with the turns of one with another frequency that is made before it",
    ...sequence([
      DAILY,
      following(nine(8), { layer: 2 }),
      { ...following(nine(4), { every: 2 }), key: "s2" },
      people("s2", "ABCD"),
    ]),
  },
  {
    name: "a later version that begins between two shifts has the people of the one before, too",
    ...sequence([
      DAILY,
      following(nine(9), { layer: 2 }),
      { ...following(nine(2), { every: 2 }), key: "s2" },
      people("s2", "AB"),
    ]),
  },
  {
    name: "people from a shift on replace those of later versions, too",
    ...sequence([
      DAILY,
      following(nine(8), { layer: 2 }),
      { ...following(nine(3), {}), key: "s2", line: lineOf("DA") },
    ]),
  },
  {
    // Saturday is of the same turn as Monday, which was of A: B, who follows, takes what is left of it.
    name: "people from now on go on with a turn whose second day a later version has",
    start: noon(0),
    steps: [
      { after: 0, change: create("s0", "ABC", { ...TWO_DAYS, end: START + 8 * HOUR }) },
      {
        after: 1_000,
        change: following(nine(5), { start: nine(5) + HOUR, end: nine(5) + 9 * HOUR }),
      },
      { after: DAY, change: { ...following(nine(0), {}), key: "s2", line: lineOf("BDC") } },
    ],
  },
  {
    name: "the first of the people from a first shift to come has it, whoever was planned for later",
    ...sequence([
      create("s0", "BCE", { start: nine(2), end: nine(3) }),
      people("s0", "AECB", noon(3)),
      { ...following(nine(2), {}), line: lineOf("AD") },
    ]),
  },
  {
    name: "the handoffs that follow are those of the version in force",
    start: noon(0),
    steps: [
      { after: 0, change: DAILY },
      { after: 1_000, change: following(nine(2), { every: 2 }) },
      { after: 3 * DAY, change: people("s0", "BD", "after_full_rotation") },
    ],
  },
];

/** Writes that would have others on call in hours that were served. */
const PAST: readonly Case[] = (
  [
    ["rule", { kind: "rule", series: "s0", patch: { every: 2 } }],
    ["following", following(nine(2), { layer: 2 })],
    ["override", override(nine(2), nine(3), "D")],
    ["exception", { kind: "exception", series: "s0", at: nine(2) }],
    ["terminate", { kind: "terminate", series: "s0", at: nine(2) }],
    ["remove_part", { kind: "remove_part", series: "s0", at: nine(2) }],
    ["delete", { kind: "delete", key: "s0" }],
    ["flush", { kind: "flush" }],
  ] as const satisfies readonly (readonly [string, Change])[]
).map(([kind, change]) => ({
  ...{ name: `5: ${kind} keeps who was on call`, start: noon(0) },
  steps: [
    { after: 0, change: DAILY },
    { after: 4 * DAY, change },
  ],
}));

/** Served before a change that was undone, and before one that is made after that. */
const UNDONE: Case = {
  ...{
    name: "5: what was served before an undone change stays when it is changed again",
  },
  start: noon(0),
  steps: [
    { after: 0, change: DAILY },
    { after: 3 * DAY, change: { ...following(nine(5), {}), line: lineOf("F") } },
    { after: 3 * DAY, change: { kind: "undo" } },
    { after: 2 * HOUR, change: { kind: "rule", series: "s0", patch: { layer: 2 } } },
  ],
};

const away = (person: string, from: number, to: number, instead: string): Change => ({
  ...{ kind: "absence", key: `away ${person}`, person, from, to, instead },
});

const ABSENT: readonly Case[] = [
  {
    name: "6: a cover follows the hours of a series that change",
    ...sequence([
      OFFICE,
      away("A", noon(0), nine(12), "D"),
      following(nine(2), { start: nine(2) + 9 * HOUR, end: nine(2) + 17 * HOUR }),
    ]),
  },
  {
    name: "6: a cover follows a new frequency, and goes when it ends",
    ...sequence([
      OFFICE,
      away("A", noon(0), nine(12), "D"),
      following(nine(2), { every: 2 }),
      { kind: "end_absence", key: "away A" },
    ]),
  },
  {
    name: "6: a rotation that skips who is away follows the hours that change",
    ...sequence([
      create("s0", "ABC", { end: START + 8 * HOUR, skipsAway: true }),
      away("A", noon(0), nine(12), "skip"),
      following(nine(2), { start: nine(2) + 9 * HOUR, end: nine(2) + 17 * HOUR }),
    ]),
  },
  {
    name: "8: the next in line is nobody who is known to be away",
    ...sequence([
      create("s0", "ADB", {}),
      away("A", noon(0), nine(7), "skip"),
      away("B", noon(0), nine(7), "next"),
    ]),
  },
  {
    name: "10: who serves for an absent person goes on when somebody joins now",
    ...sequence([
      create("s0", "AB", { start: nine(-1), end: nine(0) }),
      away("B", noon(0), nine(3), "next"),
      people("s0", "ABC", "now"),
    ]),
  },
];

export const CASES: readonly Case[] = [...FAULTS, ...VERSIONS, ...PAST, UNDONE, ...ABSENT];
