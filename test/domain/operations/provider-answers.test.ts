// In which order a provider accepted and failed, whichever isolate reports it when, and that the next audit judges by it.
import { describe, expect, test } from "vitest";
import {
  nextHealths,
  type ProviderHealths,
} from "../../../src/domain/operations/provider-health.ts";
import {
  AnswerLog,
  type AnswerTimes,
  type MessageOutcome,
  NO_ANSWERS,
  type ProviderAnswers,
} from "../../../src/domain/shared/metrics/provider-answers.ts";
import { randomGenerator, sized } from "../../support/generated/sizes.ts";

const SECOND = 1_000;
const MINUTE = 60_000;
const KEY = "email/resend";
const CHANNELS = [
  { channel: "email", providers: ["resend"], reporting: [], isSentAgain: false },
] as const;

/** What became of a message: when the provider was given it, and when an isolate reports its answer. */
type Answered = {
  readonly outcome: MessageOutcome;
  readonly at: number;
  readonly reportedAt: number;
};

const isFailure = ({ outcome }: Answered) => outcome === "temporary" || outcome === "refused";

/** The same from all answers at once, whoever reported them. */
function expectedOf(answered: readonly Answered[]): AnswerTimes {
  const latest = (some: readonly Answered[]) =>
    some.length === 0 ? null : Math.max(...some.map(({ at }) => at));
  const acceptedAt = latest(answered.filter(({ outcome }) => outcome === "sent"));
  const since = answered.filter(({ at }) => acceptedAt === null || at > acceptedAt);
  const failedAt = since.filter(isFailure).map(({ at }) => at);
  const credentialsAt = latest(since.filter(({ outcome }) => outcome === "credentials"));
  return { acceptedAt, failedAt: failedAt.sort((a, b) => a - b).slice(-3), credentialsAt };
}

const logOf = (answered: readonly Answered[]): ProviderAnswers => {
  const log = new AnswerLog();
  for (const { outcome, at } of answered) log.add(KEY, outcome, at);
  return log.values;
};

/** Audits each minute, from the first on, until `end`. */
function* audits(answered: readonly Answered[], end: number) {
  let healths: ProviderHealths = {};
  for (let now = MINUTE; now <= end; now += MINUTE) {
    const isNew = ({ reportedAt }: Answered) => reportedAt <= now && reportedAt > now - MINUTE;
    healths = nextHealths(healths, CHANNELS, logOf(answered.filter(isNew)), new Map(), now);
    // As it is stored and read again.
    healths = JSON.parse(JSON.stringify(healths));
    const reported = answered.filter(({ reportedAt }) => reportedAt <= now);
    yield { now, reported, broken: healths[KEY]?.broken ?? null };
  }
}

const random = randomGenerator();
const below = (most: number) => Math.floor(random() * most);

/** Messages of some minutes; `share`: how many are accepted while the provider works. */
function someMessages(minutes: number): Answered[] {
  const share = [0.2, 0.5, 0.9][below(3)] ?? 0;
  const failures = ["temporary", "refused", "temporary", "permanent", "credentials"] as const;
  const failure = failures[below(failures.length)] ?? "temporary";
  return Array.from({ length: 1 + below(40) }, () => {
    // Those of one batch are given at the same instant.
    const at = 1 + below(minutes * 20) * 3 * SECOND;
    const outcome = random() < share ? ("sent" as const) : failure;
    return { outcome, at, reportedAt: at + below(20) * SECOND };
  });
}

test("reports of any isolates, merged in any order, show the order of the messages", () => {
  for (let run = 0; run < sized(300, 10_000); run += 1) {
    const answered = someMessages(2);
    const isolates = Array.from({ length: 1 + below(3) }, () => new AnswerLog());
    const object = new AnswerLog();
    for (const { outcome, at } of answered) {
      const isolate = isolates[below(isolates.length)];
      isolate?.add(KEY, outcome, at);
      if (random() < 0.3) object.merge(isolate?.take() ?? {});
    }
    for (const isolate of isolates) {
      const values = isolate.take();
      // What could not be reported is reported again.
      isolate.merge(values);
      expect(isolate.values).toEqual(values);
      object.merge(isolate.take());
      expect(isolate.values).toEqual({});
    }
    expect(object.values[KEY] ?? NO_ANSWERS).toEqual(expectedOf(answered));
  }
});

test("an audit finds a provider broken by three failures since it last accepted, whatever was before, and only then", () => {
  const seen = { broken: 0, healed: 0, mixed: 0 };
  for (let run = 0; run < sized(300, 10_000); run += 1) {
    const answered = someMessages(6);
    let wasBroken = false;
    for (const { now, reported, broken } of audits(answered, 8 * MINUTE)) {
      const { failedAt, credentialsAt } = expectedOf(reported);
      const isBroken = failedAt.length >= 3 || credentialsAt !== null;
      expect(broken !== null).toBe(isBroken);
      if (broken) expect(broken.cause).toBe(credentialsAt === null ? "outage" : "credentials");
      const latest = reported.filter(({ at }) => at > now - MINUTE);
      const isMixed = latest.some(({ outcome }) => outcome === "sent");
      if (isBroken && !wasBroken) seen[isMixed ? "mixed" : "broken"] += 1;
      if (wasBroken && !isBroken) seen.healed += 1;
      wasBroken = isBroken;
    }
  }
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(5);
});

test("an outage from any second of an interval on is seen within two minutes, as long as it lasts, and ends", () => {
  for (let second = 0; second < 60; second += 1) {
    const start = 10 * MINUTE + second * SECOND;
    const [end, last] = [start + 20 * MINUTE, start + 30 * MINUTE];
    const answered: Answered[] = [];
    // A report waits for ten seconds.
    for (let at = SECOND; at <= last; at += 10 * SECOND) {
      const outcome = at >= start && at < end ? "temporary" : "sent";
      answered.push({ outcome, at, reportedAt: at + 10 * SECOND });
    }
    for (const { now, broken } of audits(answered, last)) {
      if (now < start || now > end + 2 * MINUTE) expect(broken).toBeNull();
      if (now > start + MINUTE + 30 * SECOND && now <= end) expect(broken).not.toBeNull();
    }
  }
});

describe("between two audits", () => {
  const rows: readonly (readonly [
    string,
    readonly (readonly [MessageOutcome, number])[],
    boolean,
  ])[] = [
    [
      "three failures after an acceptance break it",
      list("sent temporary temporary temporary"),
      true,
    ],
    ["two do not", list("sent temporary temporary"), false],
    [
      "an acceptance after any failures heals",
      list("temporary temporary temporary refused sent"),
      false,
    ],
    ["failures before it do not count", list("temporary temporary sent temporary"), false],
    ["our credentials refused after it break it", list("sent credentials"), true],
    ["our credentials refused before it do not", list("credentials sent"), false],
    ["recipients at fault say nothing", list("sent permanent permanent permanent"), false],
    [
      "a limit that some of a batch exceed breaks nothing",
      [
        ["temporary", 1],
        ["temporary", 1],
        ["sent", 1],
        ["temporary", 1],
      ],
      false,
    ],
  ];

  test.each(rows)("%s", (_, messages, isBroken) => {
    const answered = messages.map(([outcome, second]) => {
      const at = second * SECOND;
      return { outcome, at, reportedAt: at };
    });
    for (const some of [answered, answered.toReversed()]) {
      const [audit] = [...audits(some, MINUTE)];
      expect(audit?.broken != null).toBe(isBroken);
    }
  });

  test("messages for whose answer it waited for long were given before the one that was accepted", () => {
    const hung = [1, 2, 3].map((second) => ({
      ...{ outcome: "temporary" as const, at: second * SECOND, reportedAt: (second + 8) * SECOND },
    }));
    const accepted = { outcome: "sent" as const, at: 4 * SECOND, reportedAt: 5 * SECOND };
    expect([...audits([accepted, ...hung], MINUTE)][0]?.broken).toBeNull();
  });
});

/** Outcomes of messages, a second apart. */
function list(outcomes: string): (readonly [MessageOutcome, number])[] {
  return outcomes.split(" ").map((it, i) => [it as MessageOutcome, i + 1] as const);
}

test("a clock that was set back hides no outage for longer than an audit", () => {
  const hour = 60 * MINUTE;
  const answered: Answered[] = [{ outcome: "sent", at: hour, reportedAt: MINUTE }];
  for (let at = MINUTE + SECOND; at < 4 * MINUTE; at += 10 * SECOND) {
    answered.push({ outcome: "temporary", at, reportedAt: at });
  }
  const found = [...audits(answered, 4 * MINUTE)].map(({ broken }) => broken !== null);
  expect(found).toEqual([false, true, true, true]);
});

test("what the version before has stored holds until a message is accepted, and it reads what this one stores", () => {
  const broken = { since: 1, cause: "outage", isProvable: false };
  const probes = { failedProbes: 0, probedAt: null, hasCredit: false };
  const stored: object = { [KEY]: { refusals: 3, refusedAt: 1, ...probes, broken } };
  const before = stored as ProviderHealths;
  const after = (...answered: readonly Answered[]) =>
    nextHealths(before, CHANNELS, logOf(answered), new Map(), MINUTE)[KEY];
  expect(after()?.broken).toEqual(broken);
  const failed = { outcome: "temporary", at: 2, reportedAt: 2 } as const;
  expect(after(failed)).toMatchObject({ refusals: 1, refusedAt: 2, broken });
  expect(after(failed, { outcome: "sent", at: 3, reportedAt: 3 })).toMatchObject({
    ...{ refusals: 0, refusedAt: null, broken: null },
  });
});
