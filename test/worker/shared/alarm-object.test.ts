// The base of the objects that act by themselves: the alarm is set for what is stored, found again when it was lost, and
// never dropped because its work failed.

import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, test, vi } from "vitest";
import { newId } from "../../../src/db/shared/identifiers.ts";
import { prefixIdOf } from "../../../src/domain/shared/identifiers.ts";
import { WelcomeObject } from "../../../src/objects/people/welcome-object.ts";
import { AlarmObject, type AlarmWork } from "../../../src/objects/shared/alarm-object.ts";
import { MailObject } from "../../../src/objects/shared/mail-object.ts";

const HOUR = 3_600_000;

/** Waits until `nextAt`; its work is whatever a test says. */
class Probe extends AlarmObject {
  static nextAt: number | null = null;
  static run = async () => {};
  static longestPauseMs: number | undefined;

  protected override readonly alarmWork: AlarmWork = {
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

/** The storage of an object that has nothing yet; a test makes probes on it as often as the object would wake. */
function within(work: (state: DurableObjectState) => Promise<void>): Promise<void> {
  const stub = env.TEAM.getByName(prefixIdOf("team", newId(Date.now())));
  return runInDurableObject(stub, (_, state) => work(state));
}

const alarmIn = (state: DurableObjectState) => state.storage.getAlarm();

test("a missing alarm is set when the object wakes, a past one too, and one to come is left", () =>
  within(async (state) => {
    const start = Date.now();
    Probe.nextAt = start + HOUR;
    new Probe(state, env);
    await vi.waitFor(async () => expect(await alarmIn(state)).toBe(start + HOUR));
    // Nothing tells that it is set for another instant than what waits: that is for whoever stores.
    Probe.nextAt = start + 2 * HOUR;
    new Probe(state, env);
    await scheduler.wait(20);
    expect(await alarmIn(state)).toBe(start + HOUR);
    vi.useFakeTimers({ now: start + HOUR + 1, toFake: ["Date"] });
    new Probe(state, env);
    await vi.waitFor(async () => expect(await alarmIn(state)).toBe(start + 2 * HOUR));
  }));

test("an object that waits for nothing writes nothing", () =>
  within(async (state) => {
    const probe = new Probe(state, env);
    probe.rearm();
    await probe.alarm();
    await scheduler.wait(20);
    expect(await alarmIn(state)).toBeNull();
    expect(state.storage.sql.exec("select name from sqlite_master").toArray()).toEqual([]);
  }));

test("the alarm is for what is stored now, and goes once nothing is", () =>
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
    Probe.nextAt = null;
    probe.rearm();
    await vi.waitFor(async () => expect(await alarmIn(state)).toBeNull());
  }));

test.each([
  ["", undefined, [1, 2, 4, 8, 16, 30, 30]],
  [", no longer than the object says", 5_000, [1, 2, 4, 5, 5]],
])("work that fails is tried again, later each time%s", (_, longestPauseMs, seconds) =>
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
    const said = { message: "the probe waits", object: state.id.name, error: "Error: no database" };
    expect(logged.mock.calls).toEqual(seconds.map(() => [said]));
    // Whoever stores something meanwhile does not have it spin.
    probe.rearm();
    expect((await alarmIn(state)) ?? 0).toBe(start + (seconds.at(-1) ?? 0) * 1_000);
    Probe.run = async () => {
      Probe.nextAt = start + HOUR;
    };
    expect(await pause()).toBe(HOUR);
    Probe.run = fail;
    Probe.nextAt = null;
    // It is tried again, whatever is stored.
    expect(await pause()).toBe(1_000);
  }),
);

test("prototypes have only what callers may ask for: all of it can be called over RPC", () => {
  const methodsOf = ({ prototype }: { readonly prototype: object }) =>
    Object.getOwnPropertyNames(prototype).filter((name) => name !== "constructor");
  expect(methodsOf(AlarmObject)).toEqual(["anonymize", "alarm"]);
  expect(methodsOf(MailObject)).toEqual([]);
  expect(methodsOf(WelcomeObject)).toEqual(["expect", "done"]);
});
