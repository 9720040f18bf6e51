// P5: timers are exact, survive restarts, and never fire once their workflow was answered or the alert resolved.
import {
  createScheduledController,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import worker from "../../../src/index.ts";
import { outboxOf, rewriteAlert } from "../../support/alerts/stored-alert.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { type Mailbox, openMailbox } from "../../support/providers/mailbox.ts";
import {
  alertStub,
  evict,
  failDatabase,
  interceptQueue,
  soon,
} from "../../support/worker/faults.ts";
import { makeIntegration, makePerson, makeTeam, type Person } from "../../support/worker/world.ts";

let mailbox: Mailbox;
let account: Account;
let crew: Person[];
beforeEach(async () => {
  mailbox = openMailbox();
  account = await makeAccount();
  crew = [];
  for (const name of ["Grace", "Sam", "Alex"]) crew.push(await makePerson(account, name));
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Creates an alert whose n-th layer is the n-th person, with these time-outs (seconds). */
async function alertWith(seconds: readonly number[]) {
  const layers = seconds.map((it, i) => ({
    seconds: it,
    people: [crew[i]?.accountUserId as string],
  }));
  const team = await makeTeam(account, layers);
  const { body } = await account.api("POST", "/alerts", {
    title: "In time",
    urgency: "high",
    destination_team_ids: [team.id],
  });
  return { id: body.id as string, stub: alertStub(body.prefix_id) };
}

const paged = () =>
  mailbox.mails.flatMap((mail) => {
    const layer = crew.findIndex((person) => person.email === mail.to) + 1;
    return layer === 0 ? [] : [layer];
  });

async function workflowOf(alertId: string) {
  const { body } = await account.api("GET", `/alerts/${alertId}/workflows`);
  const [workflow] = body.data;
  return { ...workflow, dueAt: Date.parse(workflow.next_step_at) };
}

async function stepsOf(alertId: string): Promise<{ at: number; message: string }[]> {
  const { body } = await account.api("GET", `/logs/${alertId}`);
  const lines: { time: string; message: string }[] = body.details.sublogs;
  return lines.map(({ time, message }) => ({ at: Date.parse(time), message }));
}

/** Sets the alert's timer to an instant (epoch ms), without an alarm. */
const setTimer = (stub: DurableObjectStub, nextStepAt: number) =>
  rewriteAlert(stub, (value) => {
    const [first, ...others] = value.alert.workflows;
    if (!first) throw new Error("the alert has no workflow");
    const workflow = { ...first, nextStepAt };
    return { ...value, alert: { ...value.alert, workflows: [workflow, ...others] } };
  });

/**
 * Lets the alert's timer, of minutes, end in a second instead: one that was so short from the beginning might end before
 * the test has seen what was before. Nothing of the object stays in memory.
 *
 * @returns when it ends (epoch ms)
 */
async function endSoon(stub: DurableObjectStub): Promise<number> {
  const dueAt = Date.now() + 1_000;
  await setTimer(stub, dueAt);
  await runInDurableObject(stub, (_, { storage }) => storage.setAlarm(dueAt));
  await evict(stub);
  return dueAt;
}

describe("a layer's time-out", () => {
  test("fires once per layer, not before its time, and then drops the alert", async () => {
    const { id, stub } = await alertWith([600, 600]);
    await vi.waitFor(() => expect(paged()).toEqual([1]), soon);
    const firstDueAt = await endSoon(stub);
    await vi.waitFor(async () => expect((await workflowOf(id)).layer).toBe(2), soon);
    const second = await workflowOf(id);
    await vi.waitFor(() => expect(paged()).toEqual([1, 2]), soon);
    const secondDueAt = await endSoon(stub);
    await vi.waitFor(async () => {
      expect((await account.api("GET", `/alerts/${id}`)).body.status).toBe("dropped");
    }, soon);
    const steps = (await stepsOf(id)).filter((it) => it.message.endsWith("in time"));
    expect(steps.map((it) => it.message)).toEqual([
      "Payments, step 1: nobody acknowledged in time",
      "Payments, step 2: nobody acknowledged in time",
    ]);
    expect(steps[0]?.at).toBeGreaterThanOrEqual(firstDueAt);
    expect(steps[1]?.at).toBeGreaterThanOrEqual(secondDueAt);
    expect(second.dueAt - (steps[0]?.at ?? 0)).toBe(600_000);
    expect(paged()).toEqual([1, 2]);
  });

  test("survives eviction of the object", async () => {
    const { id, stub } = await alertWith([600, 600]);
    await vi.waitFor(() => expect(paged()).toEqual([1]), soon);
    await endSoon(stub);
    await vi.waitFor(() => expect(paged()).toEqual([1, 2]), soon);
    const steps = (await stepsOf(id)).filter((it) => it.message.endsWith("in time"));
    expect(steps).toHaveLength(1);
  });

  test("does not fire after acknowledge or resolve", async () => {
    const answered = [];
    for (const verb of ["acknowledge", "resolve"]) {
      const { id, stub } = await alertWith([600, 600]);
      await account.api("POST", `/alerts/${id}/${verb}`);
      answered.push({ id, stub });
    }
    // As if an alarm had been left, at an instant after the timer's.
    for (const { stub } of answered) {
      await runInDurableObject(stub, (_, { storage }) => storage.setAlarm(Date.now() + 60_000));
    }
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 700_000 });
    for (const { stub } of answered) expect(await runDurableObjectAlarm(stub)).toBe(true);
    vi.useRealTimers();
    for (const { id } of answered) {
      expect(await workflowOf(id)).toMatchObject({ layer: 1, next_step_at: null });
      expect((await stepsOf(id)).some((it) => it.message.endsWith("in time"))).toBe(false);
    }
  });

  test("is late, not lost, if D1 fails when it is due, and is not retried in a loop", async () => {
    const { stub } = await alertWith([600, 600]);
    await vi.waitFor(() => expect(paged()).toEqual([1]), soon);
    const reads = vi.spyOn(console, "error");
    const tries = () =>
      reads.mock.calls.filter(([it]) => String(it?.message).includes("destinations"));
    const mend = failDatabase();
    await endSoon(stub);
    await vi.waitFor(() => expect(tries().length).toBeGreaterThanOrEqual(1), soon);
    await scheduler.wait(700);
    mend();
    expect(tries().length).toBeLessThanOrEqual(3);
    await vi.waitFor(() => expect(paged()).toEqual([1, 2]), soon);
  });
});

describe("a missing alarm", () => {
  /** Creates an alert without an alarm, whose layer is long overdue in the object and in readers' rows. */
  async function overdue() {
    const alert = await alertWith([600, 600]);
    await vi.waitFor(() => expect(paged()).toEqual([1]), soon);
    await vi.waitFor(async () => expect(await outboxOf(alert.stub)).toEqual([]), soon);
    const hour = 3_600_000;
    await setTimer(alert.stub, (await workflowOf(alert.id)).dueAt - hour);
    await env.DB.prepare("update alerts set next_step_at = next_step_at - ? where id = ?")
      .bind(hour, alert.id)
      .run();
    await runInDurableObject(alert.stub, (_, state) => state.storage.deleteAlarm());
    return alert;
  }

  const sweep = () => worker.scheduled(createScheduledController({ cron: "* * * * *" }), env);

  test("is found by the sweep", async () => {
    await overdue();
    await scheduler.wait(100);
    expect(paged()).toEqual([1]);
    await sweep();
    await vi.waitFor(() => expect(paged()).toEqual([1, 2]), soon);
    await sweep();
    expect(paged()).toEqual([1, 2]);
  });

  test("is found by the sweep if a page was never delivered", async () => {
    const lost = interceptQueue(async () => {});
    const { id, stub } = await alertWith([600]);
    await vi.waitFor(() => expect(lost).toHaveBeenCalled(), soon);
    lost.mockRestore();
    await runInDurableObject(stub, (_, state) => state.storage.deleteAlarm());
    const past = Date.now() - 60_000;
    await evict(stub);
    await env.DB.prepare(
      "update alerts set workflows = json_set(workflows, '$[0].updated', ? - created_at) where id = ?",
    )
      .bind(past, id)
      .run();
    expect(paged()).toEqual([]);
    await sweep();
    await vi.waitFor(() => expect(paged()).toEqual([1]), soon);
  });

  test("is found by the sweep if the alert was never projected", async () => {
    const layers = [{ seconds: 600, people: [crew[0]?.accountUserId as string] }];
    const integration = await makeIntegration(account, [(await makeTeam(account, layers)).id]);
    await integration.send({ event_type: "create", Id: "unseen", Title: "Unseen" });
    const { body } = await vi.waitFor(async () => {
      const found = await account.api("GET", "/alerts?thirdparty_id=unseen");
      expect(found.body.total_count).toBe(1);
      return found;
    }, soon);
    const [{ id, prefix_id }] = body.data;
    await vi.waitFor(async () => {
      const { body: logs } = await account.api("GET", `/logs?owner_id=${integration.id}`);
      expect(logs.total_count).toBe(1);
    }, soon);
    // As if the projection had never been written, and the alarm that would write it were lost.
    const stub = alertStub(prefix_id);
    await rewriteAlert(stub, (value) => ({ ...value, projectedVersion: 0 }));
    await runInDurableObject(stub, (_, state) => state.storage.deleteAlarm());
    await env.DB.prepare("delete from alerts where id = ?").bind(id).run();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
    await sweep();
    vi.useRealTimers();
    expect((await account.api("GET", `/alerts/${id}`)).body.status).toBe("open");
  });

  test("is set again by any call of the object", async () => {
    const { id, stub } = await overdue();
    await evictDurableObject(stub);
    // A refused answer changes nothing; it wakes the object.
    const { status } = await account.api("POST", `/alerts/${id}/reject`);
    expect(status).toBe(409);
    await vi.waitFor(() => expect(paged()).toEqual([1, 2]), soon);
  });

  test("is not assumed for an alert that is not overdue", async () => {
    const { id } = await alertWith([600, 600]);
    await vi.waitFor(() => expect(paged()).toEqual([1]), soon);
    const before = await stepsOf(id);
    await sweep();
    expect(await stepsOf(id)).toEqual(before);
  });
});
