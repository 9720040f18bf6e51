// Faults, one at a time: each shows in a metric and as a broken invariant and stops the heartbeat,
// which goes on once the fault is mended.
import { createExecutionContext, createMessageBatch } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AlertObject } from "../../../src/features/alerts/object/object.ts";
import worker from "../../../src/index.ts";
import { storedNotifications } from "../../support/alerts/notifications.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import {
  audit,
  awaitProbe,
  brokenIn,
  forgetOperations,
  monitor,
  operations,
  scrape,
} from "../../support/operations/operations.ts";
import { type Mailbox, openMailbox } from "../../support/providers/mailbox.ts";
import { neverAnswers, serveAt } from "../../support/providers/outbound.ts";
import { evict, failDatabase, fillDatabase, soon } from "../../support/worker/faults.ts";
import {
  type Integration,
  makeIntegration,
  makePerson,
  makeTeam,
} from "../../support/worker/world.ts";

const MINUTE = 60_000;

let mailbox: Mailbox;
let account: Account;
let integration: Integration;
let watcher: ReturnType<typeof monitor>;

beforeEach(async () => {
  mailbox = openMailbox();
  vi.spyOn(console, "error").mockImplementation(() => {});
  account = await makeAccount();
  const crew = [await makePerson(account, "Grace"), await makePerson(account, "Sam")];
  const people = crew.map((it) => it.accountUserId);
  const team = await makeTeam(account, [{ seconds: 600, people }]);
  integration = await makeIntegration(account, [team.id]);
  watcher = monitor();
  await forgetOperations();
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await forgetOperations();
  await env.DB.prepare("delete from alerts").run();
  // Requests of a while ago whose alerts are gone are a fault.
  await env.DB.prepare("delete from logs").run();
});

const setClock = (now: number) => vi.useFakeTimers({ now, toFake: ["Date"] });

const sql = (text: string, ...values: unknown[]) =>
  env.DB.prepare(text)
    .bind(...values)
    .run();

/** Opens an alert that two people are notified of. */
async function openAlert(Id: string): Promise<void> {
  await integration.send({ event_type: "create", Id, Title: Id });
  await vi.waitFor(async () => {
    const rows = await storedNotifications(account.accountId, "status = 'sent'");
    expect(rows.length).toBeGreaterThanOrEqual(2);
  }, soon);
}

const received = async () =>
  (await env.DB.prepare("select received_at from integrations").all<{ received_at: number }>())
    .results;

/** The time of a later audit, whose clock moves on. */
const later = (ms: number) => setClock(Date.now() + ms);

type Fault = {
  readonly invariant: string;
  readonly metric: string;
  /** The work that failed is retried by the real clock, for longer than a test waits. */
  readonly endsLater?: true;
  /** Causes the fault; returns what mends it. */
  readonly cause: () => Promise<(() => unknown) | undefined>;
};

/** The number of attempts that ended so. */
const attempts = (outcome: string) => `tocsin_attempts_total{channel="email",outcome="${outcome}"}`;

/** Only what happens from now on counts: mail of an earlier fault may have been sent a moment ago. */
async function sinceNow(): Promise<void> {
  await forgetOperations();
  await audit();
  await awaitProbe();
}

/** Mail is sent by Resend, in place of which a server of the test answers. */
async function mailByResend(server: Parameters<typeof serveAt>[1], outcome: string): Promise<void> {
  vi.spyOn(env, "RESEND_API_KEY", "get").mockReturnValue("re_test");
  serveAt("api.resend.com", (request) =>
    request.method === "GET" ? new Response(null, { status: 503 }) : server(request),
  );
  await sinceNow();
  const { timeout } = AbortSignal;
  const signal = vi
    .spyOn(AbortSignal, "timeout")
    .mockImplementation((ms) => timeout.call(AbortSignal, ms / 400));
  for (const Id of ["one", "two"]) {
    await integration.send({ event_type: "create", Id, Title: Id });
  }
  const asked = `tocsin_provider_attempts_total{channel="email",provider="resend",outcome="${outcome}"}`;
  await vi.waitFor(async () => {
    const values = await scrape();
    expect(values.get(attempts(outcome)) ?? 0).toBeGreaterThanOrEqual(4);
    expect(values.get(asked) ?? 0).toBeGreaterThanOrEqual(3);
  }, soon);
  signal.mockRestore();
}

const REFUSED_MAILS = attempts("temporary");

/** Mail is refused from now on, several times; returns what mends it. */
async function refuseMails(): Promise<() => void> {
  mailbox.failure = () => new Error("500");
  for (const Id of ["one", "two"]) {
    await integration.send({ event_type: "create", Id, Title: Id });
  }
  // An attempt is stored before it is made, and counted after it.
  await vi.waitFor(async () => {
    const counted = (await scrape()).get(REFUSED_MAILS);
    expect(counted).toBeGreaterThanOrEqual(4);
  }, soon);
  return () => {
    mailbox.failure = null;
  };
}

const faults: Readonly<Record<string, Fault>> = {
  "the database is down": {
    invariant: "database_answers",
    metric: "tocsin_database_round_trip_seconds",
    cause: async () => failDatabase(),
  },
  "the database is slow": {
    invariant: "database_answers",
    metric: "tocsin_database_round_trip_seconds",
    cause: async () => {
      const prepared = Object.getPrototypeOf(env.DB.prepare("select 1"));
      const set = globalThis.setTimeout;
      const spies = [
        vi.spyOn(prepared, "first").mockImplementation(async () => {
          await scheduler.wait(300);
          return { one: 1 };
        }),
        vi
          .spyOn(globalThis, "setTimeout")
          .mockImplementation(((run: () => void, after = 0) =>
            set(run, after / 100)) as typeof setTimeout),
      ];
      return () => {
        for (const spy of spies) spy.mockRestore();
      };
    },
  },
  "the queue loses messages": {
    invariant: "queue_delivers",
    metric: "tocsin_queue_round_trip_seconds",
    cause: async () => {
      const lost = vi.spyOn(Object.getPrototypeOf(env.PAGES), "send").mockResolvedValue(undefined);
      await audit();
      later(40_000);
      return () => lost.mockRestore();
    },
  },
  "the queue is late": {
    invariant: "queue_delivers",
    metric: "tocsin_queue_round_trip_seconds",
    cause: async () => {
      const sent: { probe: { id: string } }[] = [];
      const late = vi
        .spyOn(Object.getPrototypeOf(env.PAGES), "send")
        .mockImplementation(async (body) => void sent.push(body as (typeof sent)[0]));
      await audit();
      later(40_000);
      for (const { probe } of sent) await operations().probeArrived(probe.id);
      return () => late.mockRestore();
    },
  },
  "an alert's alarm is lost": {
    invariant: "timer_runs",
    metric: 'tocsin_invariant_broken{invariant="timer_runs"}',
    cause: async () => {
      await openAlert("late");
      await sql("update alerts set next_step_at = ?", Date.now() - 2 * MINUTE);
      return () => sql("update alerts set next_step_at = ?", Date.now() + 60 * MINUTE);
    },
  },
  "an open alert has no timer": {
    invariant: "open_alert_has_timer",
    metric: "tocsin_open_alerts_without_timer",
    cause: async () => {
      await openAlert("timerless");
      await sql("update alerts set next_step_at = null");
      return () => sql("update alerts set next_step_at = ?", Date.now() + 60 * MINUTE);
    },
  },
  "the consumer throws": {
    invariant: "messages_are_consumed",
    metric: "tocsin_queue_failures_total",
    cause: async () => {
      for (const id of ["1", "2", "3"]) {
        const message = { id, timestamp: new Date(), attempts: 1, body: {} };
        const batch = createMessageBatch("another-queue", [message]);
        await expect(worker.queue(batch, env, createExecutionContext())).rejects.toThrow(
          "no consumer",
        );
      }
      return () => openAlert("consumed");
    },
  },
  "messages become dead letters": {
    invariant: "messages_are_consumed",
    metric: "tocsin_dead_letters_total",
    cause: async () => {
      const message = { id: "1", timestamp: new Date(), attempts: 1, body: {} };
      const batch = createMessageBatch("tocsin-pages-dead", [message]);
      await worker.queue(batch, env, createExecutionContext());
      return () => openAlert("consumed");
    },
  },
  "a provider's receipts do not arrive": {
    invariant: "receipts_arrive",
    metric: 'tocsin_messages_without_receipt{channel="sms"}',
    cause: async () => {
      await openAlert("sent");
      await sql(
        "update notifications set channel = 'sms', status = 'sent', sent_at = ?",
        Date.now() - 2 * MINUTE,
      );
      return () => sql("update notifications set status = 'delivered'");
    },
  },
  "an event of an integration is refused": {
    invariant: "events_are_accepted",
    metric: 'tocsin_events_refused_total{reason="invalid"}',
    cause: async () => {
      expect((await integration.send({ event_type: "create" })).status).toBe(422);
      return () => integration.send({ event_type: "resolve", Id: "understood" });
    },
  },
  "an accepted event does not reach its alert": {
    invariant: "event_is_delivered",
    metric: "tocsin_undelivered_inboxes",
    endsLater: true,
    cause: async () => {
      await sql("delete from integrations where id <> ?", integration.id);
      await openAlert("delivered");
      await vi.waitFor(async () => {
        const [row] = await received();
        expect(row?.received_at).toBeGreaterThan(0);
      }, soon);
      vi.spyOn(AlertObject.prototype, "create").mockRejectedValue(new Error("moved"));
      await integration.send({ event_type: "create", Id: "waits", Title: "waits" });
      later(70_000);
    },
  },
  "the database is full": {
    invariant: "database_has_room",
    metric: "tocsin_database_full_total",
    endsLater: true,
    cause: async () => {
      const full = fillDatabase(/notifications/);
      await integration.send({ event_type: "create", Id: "full", Title: "full" });
      await vi.waitFor(() => expect(full.refused).toBeGreaterThan(0), soon);
      return full.mend;
    },
  },
  "a provider answers 500": {
    invariant: "provider_accepts",
    metric: REFUSED_MAILS,
    endsLater: true,
    cause: async () => {
      await sinceNow();
      return refuseMails();
    },
  },
  "a provider answers 500 after it has accepted messages since the last audit": {
    invariant: "provider_accepts",
    metric: REFUSED_MAILS,
    endsLater: true,
    cause: async () => {
      await sinceNow();
      await openAlert("accepted");
      return refuseMails();
    },
  },
  "a provider hangs": {
    invariant: "provider_accepts",
    metric: REFUSED_MAILS,
    endsLater: true,
    cause: async () => {
      await mailByResend(neverAnswers, "temporary");
      return undefined;
    },
  },
  "a provider's secret has expired": {
    invariant: "provider_accepts",
    metric: attempts("credentials"),
    endsLater: true,
    cause: async () => {
      const refused = { statusCode: 401, name: "restricted_api_key", message: "refused" };
      await mailByResend(() => Response.json(refused, { status: 401 }), "credentials");
      return undefined;
    },
  },
  "the clock is set back": {
    invariant: "clock_advances",
    metric: "tocsin_clock_set_back_seconds",
    cause: async () => {
      later(-60 * MINUTE);
    },
  },
};

test.each(Object.entries(faults))("%s", async (_, { invariant, metric, endsLater, cause }) => {
  await audit();
  await awaitProbe();
  const before = await scrape();
  expect(brokenIn(before)).toEqual([]);
  expect(watcher.beats).toBeGreaterThan(0);
  const mend = await cause();
  const beats = watcher.beats;
  await audit();
  const during = await scrape();
  expect(brokenIn(during)).toContain(invariant);
  expect(during.get(metric)).toBeGreaterThan(before.get(metric) ?? 0);
  expect(watcher.beats).toBe(beats);
  expect(during.get('tocsin_heartbeats_total{outcome="withheld"}')).toBeGreaterThan(0);
  await mend?.();
  if (endsLater) return;
  // What failed within the last minutes still counts.
  for (const minutes of [2, 2, 2]) {
    later(minutes * MINUTE);
    await audit();
    await awaitProbe();
  }
  expect(brokenIn(await scrape())).toEqual([]);
  expect(watcher.beats).toBeGreaterThan(beats);
});

test("an expired key stops the heartbeat until a mail is accepted, however long nothing is sent", async () => {
  const refused = { statusCode: 401, name: "validation_error", message: "API key is invalid" };
  await mailByResend(() => Response.json(refused, { status: 401 }), "credentials");
  let isExpired = true;
  serveAt("api.resend.com", ({ method }) => {
    if (isExpired) return Response.json(refused, { status: method === "GET" ? 400 : 401 });
    return Response.json(method === "GET" ? { data: [] } : { id: "re-1" });
  });
  await audit();
  const { beats } = watcher;
  const brokenAfter = async (minutes: number) => {
    await awaitProbe();
    later(minutes * MINUTE);
    await audit();
    return brokenIn(await scrape()).filter((it) => it !== "timer_runs");
  };
  for (const minutes of [1, 4, 10, 60, 24 * 60]) {
    expect(await brokenAfter(minutes)).toContain("provider_accepts");
  }
  const broken = 'tocsin_provider_broken{channel="email",provider="resend"}';
  expect((await scrape()).get(broken)).toBe(1);
  expect((await operations().audited()).breaches.map((it) => it.invariant)).toContain(
    "provider_accepts",
  );
  expect(watcher.beats).toBe(beats);
  // After a restart of the object, too.
  await evict(operations());
  expect(await brokenAfter(1)).toContain("provider_accepts");
  isExpired = false;
  // A probe of this audit's message is answered before the next audit.
  await brokenAfter(1);
  await vi.waitFor(async () => {
    expect(await brokenAfter(1)).not.toContain("provider_accepts");
  }, soon);
  expect((await scrape()).get(broken)).toBe(0);
});
