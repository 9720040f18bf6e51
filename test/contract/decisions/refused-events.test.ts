// What the receiver answers when it refuses (contract 3, Answers of the receiver): a status that the sender repeats, or
// one that repeating cannot mend, which the integration's log and an invariant show. A storm is not refused.
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { Backlog } from "../../../src/features/integrations/inbox/backlog.ts";
import { IntegrationInbox } from "../../../src/features/integrations/inbox/object.ts";
import { integrationTypes } from "../../../src/products/registry.ts";
import { isRepeated } from "../../../src/products/repeated-answers.ts";
import { type Account, call, makeAccount } from "../../support/api/api.ts";
import { isFull, sized } from "../../support/generated/sizes.ts";
import {
  evict,
  failDatabase,
  inboxStub,
  rewriteConfiguration,
  soon,
} from "../../support/worker/faults.ts";
import { makePerson, makeTeam } from "../../support/worker/world.ts";

let account: Account;
let teamId: string;
beforeAll(async () => {
  account = await makeAccount();
  const person = await makePerson(account, "Grace");
  teamId = (await makeTeam(account, [{ seconds: 600, people: [person.accountUserId] }])).id;
});
const limit = (on: "on" | "off") => {
  (env as { RATE_LIMITS: string }).RATE_LIMITS = on;
};
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  limit("off");
});

type Sent = { readonly status: number; readonly headers: Headers; readonly text: string };

/** Options without which a type cannot be created. */
const REQUIRED: Readonly<Record<string, object>> = {
  custom_webhook: { option_title_expression: "text" },
  heartbeat: { option_interval_minutes: 60 },
};

/** Creates an integration of a type with a token. */
async function newIntegration(type = "webhook", more: object = {}) {
  const made = await account.api("POST", "/integrations", {
    name: type,
    urgency: "high",
    integration_type_id: type,
    team_ids: [teamId],
    option_token: "right",
    ...REQUIRED[type],
    ...more,
  });
  expect(made.status, made.text).toBe(201);
  const { id, prefix_id: prefixId, url, intake_key: key } = made.body;
  const path = new URL(url).pathname;
  return {
    ...{ id, prefixId, path, key },
    send: (body: unknown, token = "right", method = "POST") =>
      call(method, method === "GET" ? `${path}?x=1` : path, {
        ...(method === "POST" && { body }),
        headers: { "service-token": token },
      }),
    refusedSince: () => inboxStub(prefixId).refusedSince(),
    log: async (): Promise<readonly string[]> => {
      const { data } = (await account.api("GET", `/logs?owner_id=${id}&limit=100`)).body;
      return data.map((line: any) => line.details.message);
    },
  };
}
type Integration = Awaited<ReturnType<typeof newIntegration>>;

const create = (Id: string) => ({ event_type: "create", Id, Title: Id });

// ── Every type, every refusal ──

const OVERLOADED = () => vi.spyOn(Backlog.prototype, "reached").mockReturnValue("all");

/** Refusals that repeating cannot mend. */
const FINAL = [400, 401, 404, 405, 413, 422];

type Case = {
  readonly send: (integration: Integration) => Promise<Sent>;
  /** Whether it breaks `events_are_accepted`. */
  readonly breaks: boolean;
  readonly isLogged: boolean;
};

const cases: Readonly<Record<string, Case>> = {
  "a wrong token": { send: (it) => it.send({}, "wrong"), breaks: false, isLogged: true },
  "the token before a rotation": {
    send: async (it) => {
      await account.api("POST", `/integrations/${it.id}/rotate`, { what: "token", overlap: 0 });
      return it.send({});
    },
    breaks: true,
    isLogged: true,
  },
  "a body that is no JSON": {
    send: (it) =>
      call("POST", it.path, {
        body: '{"a":',
        headers: { "service-token": "right", "content-type": "application/json" },
      }),
    breaks: true,
    isLogged: true,
  },
  "a body that is too large": {
    send: (it) => it.send({ text: "x".repeat(1_100_000) }),
    breaks: true,
    isLogged: true,
  },
  "a disabled integration": {
    send: async (it) => {
      await account.api("PUT", `/integrations/${it.id}`, { enabled: false });
      return it.send({});
    },
    breaks: false,
    isLogged: true,
  },
  "too many events": {
    send: (it) => {
      OVERLOADED();
      return it.send({});
    },
    breaks: true,
    isLogged: true,
  },
  "an inbox that cannot be reached": {
    send: (it) => {
      vi.spyOn(IntegrationInbox.prototype, "receive").mockRejectedValue(new Error("moved"));
      return it.send({});
    },
    breaks: false,
    isLogged: false,
  },
  "a deleted integration": {
    send: async (it) => {
      await account.api("DELETE", `/integrations/${it.id}`);
      return it.send({});
    },
    breaks: false,
    isLogged: false,
  },
};

const senders = integrationTypes.filter(({ outgoing }) => !outgoing);

describe.each(senders.map((type) => [type.name, type] as const))("%s", (name, type) => {
  test("refuses with what its sender repeats, or logs what is final", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    // A sender that repeats nothing loses what is refused, whatever the answer.
    const repeatsAny = isRepeated(type, 503) || isRepeated(type, 500) || isRepeated(type, 429);
    for (const [what, { send, breaks, isLogged }] of Object.entries(cases)) {
      const integration = await newIntegration(name);
      const { status, headers, text } = await send(integration);
      vi.restoreAllMocks();
      vi.spyOn(console, "error").mockImplementation(() => {});
      // Heartbeats are calls, of whatever content.
      if (status === 200) {
        expect([what, name]).toEqual(["a body that is no JSON", "heartbeat"]);
        continue;
      }
      const isFinal = FINAL.includes(status);
      expect(isFinal || status === 503, `${what}: ${status} ${text}`).toBe(true);
      if (!isFinal) {
        expect([what, isRepeated(type, status)]).toEqual([what, repeatsAny]);
        expect(Number(headers.get("retry-after")), what).toBeGreaterThan(0);
      }
      expect([what, (await integration.refusedSince()) !== null]).toEqual([what, breaks]);
      if (isLogged) {
        await vi.waitFor(async () => {
          expect([what, (await integration.log())[0]]).toEqual([
            what,
            expect.stringMatching(/^Refused: /),
          ]);
        }, soon);
      }
    }
  });
});

// ── Endpoints of other services ──

/** One event of each endpoint; `isValid` or refused before it is delivered. */
const endpoints: Readonly<
  Record<string, { overloaded: number; send: (key: string, isValid: boolean) => Promise<Sent> }>
> = {
  "PagerDuty's Events API v2": {
    overloaded: 429,
    send: (key, isValid) =>
      call("POST", "/v2/enqueue", {
        body: {
          routing_key: key,
          event_action: isValid ? "trigger" : "open",
          payload: { summary: "x", source: "db-1", severity: "error" },
        },
      }),
  },
  "PagerDuty's Events API v1": {
    overloaded: 403,
    send: (key, isValid) =>
      call("POST", "/generic/2010-04-15/create_event.json", {
        body: { service_key: key, event_type: isValid ? "trigger" : "open", description: "x" },
      }),
  },
  "Opsgenie's Alert API": {
    overloaded: 429,
    send: (key, isValid) =>
      call("POST", "/v2/alerts", {
        headers: { authorization: `GenieKey ${key}` },
        body: isValid ? { message: "x" } : {},
      }),
  },
  "VictorOps' endpoint": {
    overloaded: 503,
    send: (key, isValid) =>
      call("POST", `/integrations/generic/20131114/alert/${key}/ops`, {
        body: { message_type: isValid ? "CRITICAL" : "LOUD", entity_id: "x" },
      }),
  },
};

describe.each(Object.entries(endpoints))("%s", (_, { overloaded, send }) => {
  test("asks to repeat what there is no room for, by the status that its clients repeat", async () => {
    const { key } = await newIntegration();
    OVERLOADED();
    const { status, headers } = await send(key, true);
    expect(status).toBe(overloaded);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("has Retry-After where the inbox cannot be reached", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { key } = await newIntegration();
    vi.spyOn(IntegrationInbox.prototype, "receive").mockRejectedValue(new Error("moved"));
    const { status, headers } = await send(key, true);
    expect(status).toBe(503);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("leaves a line in the log for an event that it cannot understand", async () => {
    const { key, log, refusedSince } = await newIntegration();
    const { status } = await send(key, false);
    expect([400, 422]).toContain(status);
    expect(await refusedSince()).not.toBeNull();
    const lines = async () => expect((await log())[0]).toMatch(/^Refused: /);
    await vi.waitFor(lines, soon);
  });
});

// ── Without D1 ──

describe("the configuration of an inbox, while D1 does not answer,", () => {
  /** Lets every select of an integration hang; counts them. */
  function hang() {
    const prepared = Object.getPrototypeOf(env.DB.prepare("select 1"));
    const hung = { count: 0, mend: () => {} };
    let mend = () => {};
    const mended = new Promise<void>((done) => {
      mend = done;
    });
    for (const name of ["all", "first", "raw"]) {
      const real = prepared[name] as (...given: unknown[]) => Promise<unknown>;
      vi.spyOn(prepared, name).mockImplementation(async function (this: unknown, ...given) {
        if (!/"intake_key"/.test((this as { statement: string }).statement))
          return real.apply(this, given);
        hung.count += 1;
        await mended;
        return real.apply(this, given);
      });
    }
    hung.mend = mend;
    return hung;
  }

  const resolve = (Id: string) => ({ event_type: "resolve", Id });

  test("is read once for all requests where there is none, and what is refused shows", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { prefixId, send, refusedSince } = await newIntegration();
    await rewriteConfiguration(inboxStub(prefixId), "delete from configuration");
    const mend = failDatabase();
    expect((await send(resolve("1"))).status).toBe(503);
    mend();
    expect(await refusedSince()).not.toBeNull();
    const hung = hang();
    const sent = Promise.all([1, 2, 3, 4].map((it) => send(resolve(`${it}`))));
    await vi.waitFor(() => expect(hung.count).toBe(1), soon);
    await scheduler.wait(300);
    expect(hung.count).toBe(1);
    hung.mend();
    expect((await sent).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await refusedSince()).toBeNull();
  });

  test("is read again once for all requests", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { prefixId, send } = await newIntegration();
    expect((await send(resolve("0"))).status).toBe(200);
    await evict(inboxStub(prefixId));
    await rewriteConfiguration(inboxStub(prefixId), "update configuration set loaded_at = 0");
    const hung = hang();
    for (const id of ["1", "2", "3"]) {
      expect((await send(resolve(id))).status).toBe(200);
      await scheduler.wait(50);
    }
    expect(hung.count).toBe(1);
    hung.mend();
  });

  test("is not read again at once after a failure", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const { prefixId, send } = await newIntegration();
    await evict(inboxStub(prefixId));
    await rewriteConfiguration(inboxStub(prefixId), "update configuration set loaded_at = 0");
    const mend = failDatabase();
    for (const id of ["1", "2", "3"]) {
      expect((await send(resolve(id))).status).toBe(200);
      await scheduler.wait(50);
    }
    mend();
    const failures = log.mock.calls.filter(([line]) => /its configuration/.test(line?.message));
    expect(failures).toHaveLength(1);
  });
});

// ── Until when a refusal shows ──

describe("a refused event shows", () => {
  const refuse = async (integration: Integration) => {
    expect((await integration.send({ event_type: "create" })).status).toBe(422);
    expect(await integration.refusedSince()).not.toBeNull();
  };
  test("until an event is accepted", async () => {
    const integration = await newIntegration();
    await refuse(integration);
    expect((await integration.send({ event_type: "resolve", Id: "1" })).status).toBe(200);
    expect(await integration.refusedSince()).toBeNull();
  });
  test("until somebody changes the integration, not by a maintenance window", async () => {
    const integration = await newIntegration();
    await refuse(integration);
    const window = await account.api("POST", "/maintenance_windows", {
      name: "Upgrade",
      start_datetime: new Date(Date.now() + 86_400_000).toISOString(),
      end_datetime: new Date(Date.now() + 90_000_000).toISOString(),
      time_zone: "UTC",
      integration_ids: [integration.id],
    });
    expect(window.status, window.text).toBe(201);
    expect(await integration.refusedSince()).not.toBeNull();
    await account.api("PUT", `/integrations/${integration.id}`, { name: "Seen" });
    expect(await integration.refusedSince()).toBeNull();
  });
  test("not if a browser has opened the URL", async () => {
    const integration = await newIntegration();
    expect((await integration.send(null, "right", "GET")).status).toBe(405);
    expect(await integration.refusedSince()).toBeNull();
  });
  test("in at most 60 lines per minute and reason", async () => {
    const { log, send } = await newIntegration();
    limit("on");
    vi.spyOn(env.STRANGER_RATE, "limit").mockResolvedValue({ success: true });
    for (let i = 0; i < 70; i += 1) await send({ event_type: "create" });
    await vi.waitFor(async () => expect(await log()).toHaveLength(60), soon);
    await send({}, "wrong");
    await vi.waitFor(async () => expect(await log()).toHaveLength(61), soon);
  });
});

// ── Storms ──

/** The events accepted before any is refused. */
const BACKLOG = 20_000;

describe("a storm", () => {
  test("over the rate is accepted whole", async () => {
    limit("on");
    const { send } = await newIntegration();
    // More than in 10 seconds of the rate that may go on for ever.
    const count = sized(1_050, 2_500);
    const statuses: number[] = [];
    for (let i = 0; i < count; i += 50) {
      const some = Array.from({ length: 50 }, (_, j) => send(create(`${(i + j) % 5}`)));
      statuses.push(...(await Promise.all(some)).map(({ status }) => status));
    }
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    await vi.waitFor(async () => {
      const { data } = (await account.api("GET", "/alerts?limit=100")).body;
      const counted = data.reduce((sum: number, alert: any) => sum + 1 + alert.dedup_count, 0);
      expect(counted).toBe(count);
    }, soon);
  });

  test("beyond the backlog is refused new `Id`s alone, and at three times that everything", async () => {
    limit("on");
    const { send, refusedSince } = await newIntegration("webhook", { option_aggregate_window: 10 });
    // What is sent must not become less by the rate.
    vi.useFakeTimers({ now: Date.now(), toFake: ["Date"] });
    const thousand = Array.from({ length: 1_000 }, () => create("known"));
    for (let i = 0; i < BACKLOG; i += 1_000) expect((await send(thousand)).status).toBe(200);
    const answers = async (events: Readonly<Record<string, unknown>>) =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(events).map(async ([name, event]) => [name, (await send(event)).status]),
        ),
      );
    const { status, headers } = await send(create("new"));
    expect([status, headers.get("retry-after")]).toEqual([503, "10"]);
    expect(await refusedSince()).not.toBeNull();
    expect(
      await answers({
        "a repetition": create("known"),
        "a create of a known title": { ...create("other"), Title: "known" },
        "an acknowledge": { event_type: "acknowledge", Id: "known" },
        "both in one request": [create("new"), { event_type: "acknowledge", Id: "known" }],
        "a new Id": create("newer"),
        "a resolve of an unknown Id": { event_type: "resolve", Id: "unknown" },
        "new Ids in one request": [create("newest"), create("latest")],
      }),
    ).toEqual({
      "a repetition": 200,
      "a create of a known title": 200,
      "an acknowledge": 200,
      "both in one request": 200,
      "a new Id": 503,
      "a resolve of an unknown Id": 503,
      "new Ids in one request": 503,
    });
    expect((await send({ event_type: "resolve", Id: "known" })).status).toBe(200);
    if (!isFull) return;
    for (let i = BACKLOG; i < 3 * BACKLOG; i += 1_000) await send(thousand);
    expect((await send(create("known"))).status).toBe(503);
  });
});
