// The base class of objects with alarms: the alarm is set for what is stored, set again when it was lost, and set for a
// retry when its work fails.

import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, test, vi } from "vitest";
import { prefixIdOf } from "../../../src/domain/shared/identifiers.ts";
import { WelcomeObject } from "../../../src/features/people/invitations/object.ts";
import { newId } from "../../../src/kernel/db/identifiers.ts";
import { AlarmObject, type AlarmWork } from "../../../src/kernel/objects/alarm-object.ts";
import { MailObject } from "../../../src/kernel/objects/mail-object.ts";
import { soon } from "../../support/worker/faults.ts";

const HOUR = 3_600_000;

/** Has its alarm at `nextAt`; each test sets its work. */
class Probe extends AlarmObject {
  static nextAt: number | null = null;
  static run = async () => {};
  static longestPauseMs: number | undefined;

  protected override readonly alarmWork: AlarmWork = {
    kind: "alert",
    failure: "the probe waits",
    nextAt: () => Probe.nextAt,
    run: () => Probe.run(),
    ...(Probe.longestPauseMs !== undefined && { longestPauseMs: Probe.longestPauseMs }),
  };

  rearm(): void {
    this.arm();
  }
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  Probe.nextAt = null;
  Probe.run = async () => {};
  Probe.longestPauseMs = undefined;
});

/** Runs `work` with the storage of a new object. Each probe that a test makes on it is the object as it wakes. */
function within(work: (state: DurableObjectState) => Promise<void>): Promise<void> {
  const stub = env.TEAM.getByName(prefixIdOf("team", newId(Date.now())));
  return runInDurableObject(stub, (_, state) => work(state));
}

const alarmIn = (state: DurableObjectState) => state.storage.getAlarm();

test("an object that wakes sets a missing or past alarm, and leaves a future one", () =>
  within(async (state) => {
    const start = Date.now();
    Probe.nextAt = start + HOUR;
    new Probe(state, env);
    await vi.waitFor(async () => expect(await alarmIn(state)).toBe(start + HOUR), soon);
    // Waking does not correct a future alarm: the code that stores sets it.
    Probe.nextAt = start + 2 * HOUR;
    new Probe(state, env);
    await scheduler.wait(20);
    expect(await alarmIn(state)).toBe(start + HOUR);
    vi.useFakeTimers({ now: start + HOUR + 1, toFake: ["Date"] });
    new Probe(state, env);
    await vi.waitFor(async () => expect(await alarmIn(state)).toBe(start + 2 * HOUR), soon);
  }));

test("an object without pending work writes nothing", () =>
  within(async (state) => {
    const probe = new Probe(state, env);
    probe.rearm();
    await probe.alarm();
    await scheduler.wait(20);
    expect(await alarmIn(state)).toBeNull();
    expect(state.storage.sql.exec("select name from sqlite_master").toArray()).toEqual([]);
  }));

test("the alarm is set for what is stored now, and left to fire once nothing is stored", () =>
  within(async (state) => {
    const start = Date.now();
    const probe = new Probe(state, env);
    Probe.nextAt = start + 2 * HOUR;
    probe.rearm();
    expect(await alarmIn(state)).toBe(start + 2 * HOUR);
    Probe.run = async () => {
      Probe.nextAt = start + 3 * HOUR;
    };
    await probe.alarm();
    expect(await alarmIn(state)).toBe(start + 3 * HOUR);
    // What is due later is left to the alarm that is set, which sets the next one when it fires.
    Probe.nextAt = start + 4 * HOUR;
    probe.rearm();
    expect(await alarmIn(state)).toBe(start + 3 * HOUR);
    Probe.nextAt = start + HOUR;
    probe.rearm();
    expect(await alarmIn(state)).toBe(start + HOUR);
    Probe.nextAt = null;
    probe.rearm();
    expect(await alarmIn(state)).toBe(start + HOUR);
  }));

test.each([
  ["", undefined, [1, 2, 4, 8, 16, 30, 30]],
  [", up to the object's limit", 5_000, [1, 2, 4, 5, 5]],
])("work that fails is retried with growing pauses%s", (_, longestPauseMs, seconds) =>
  within(async (state) => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const start = Date.now();
    vi.useFakeTimers({ now: start, toFake: ["Date"] });
    Probe.longestPauseMs = longestPauseMs;
    Probe.nextAt = start - HOUR;
    const fail = async () => {
      throw new Error("no database");
    };
    Probe.run = fail;
    const probe = new Probe(state, env);
    const pause = async () => {
      await probe.alarm();
      return ((await alarmIn(state)) ?? 0) - start;
    };
    for (const one of seconds) expect(await pause()).toBe(one * 1_000);
    const entry = {
      message: "the probe waits",
      object: state.id.name,
      error: "Error: no database",
    };
    expect(logged.mock.calls).toEqual(seconds.map(() => [entry]));
    // Storing something meanwhile does not shorten the pause.
    probe.rearm();
    expect((await alarmIn(state)) ?? 0).toBe(start + (seconds.at(-1) ?? 0) * 1_000);
    Probe.run = async () => {
      Probe.nextAt = start + HOUR;
    };
    expect(await pause()).toBe(HOUR);
    Probe.run = fail;
    Probe.nextAt = null;
    // It is retried even if nothing is stored.
    expect(await pause()).toBe(1_000);
  }),
);

test("prototypes have only methods for callers, since all can be called over RPC", () => {
  const methodsOf = ({ prototype }: { readonly prototype: object }) =>
    Object.getOwnPropertyNames(prototype).filter((name) => name !== "constructor");
  expect(methodsOf(AlarmObject)).toEqual(["anonymize", "alarm"]);
  expect(methodsOf(MailObject)).toEqual([]);
  expect(methodsOf(WelcomeObject)).toEqual(["expect", "done"]);
});
