// What the previous version's objects were sending when this one was deployed: it is sent, with a kind, until it is
// confirmed, and soon again if the queue refuses it.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, test, vi } from "vitest";
import messages from "../../fixtures/versions/previous/messages.json" with { type: "json" };
import { evict, interceptQueue } from "../../support/worker/faults.ts";

const { effectId, accountUserId } = messages.notice.page;
const { accountId } = messages.notice;
const broadcast = {
  id: "01JD0000000000000000000BRD",
  accountId,
  title: "All hands",
  description: null,
};
const message = JSON.stringify(messages.notice);
const later = Date.now() + 600_000;

type Storage = DurableObjectStorage;
type Case = {
  readonly stub: () => DurableObjectStub;
  /** As the previous version did. */
  readonly store: (storage: Storage) => void;
  readonly table: string;
  readonly sent: object;
  readonly effectId: string;
};

const outbox = `create table outbox (effect_id text primary key, message text not null,
  attempts integer not null default 0, next_at integer not null default 0)`;
const storePage = ({ sql }: Storage) => {
  sql.exec(outbox);
  sql.exec("insert into outbox (effect_id, message) values (?, ?)", effectId, message);
};

const CASES: Readonly<Record<string, Case>> = {
  team: {
    stub: () => env.TEAM.getByName("tem_previous"),
    ...{ store: storePage, table: "outbox", effectId },
    sent: { ...messages.notice, kind: "page", v: 1 },
  },
  schedule: {
    stub: () => env.SCHEDULE.getByName("skd_previous"),
    ...{ store: storePage, table: "outbox", effectId },
    sent: { ...messages.notice, kind: "page", v: 1 },
  },
  person: {
    stub: () => env.PERSON.getByName("acu_previous"),
    store: ({ sql }) => {
      sql.exec(`create table timers (key text primary key, effect text,
        message text not null, attempts integer not null default 0, next_at integer not null)`);
      const insert = "insert into timers (key, effect, message, next_at) values (?, ?, ?, ?)";
      sql.exec(insert, `${effectId}:0`, effectId, message, Date.now());
    },
    ...{ table: "timers", effectId },
    sent: { ...messages.notice, kind: "page", v: 1 },
  },
  broadcast: {
    stub: () => env.BROADCAST.getByName("brd_previous"),
    store: ({ sql, kv }) => {
      sql.exec(`
        create table if not exists notified (account_user_id text primary key, at integer not null);
        create table if not exists outbox (account_user_id text primary key,
          attempts integer not null default 0, next_at integer not null default 0);
      `);
      sql.exec("insert into notified values (?, ?)", accountUserId, 1_795_000_000_000);
      sql.exec("insert into outbox (account_user_id) values (?)", accountUserId);
      kv.put("broadcast", {
        ...{ id: broadcast.id, accountId, since: Date.now(), hasBegun: true, isEnding: false },
        ...{ checkAt: later, content: broadcast },
      });
    },
    table: "outbox",
    sent: { kind: "page", v: 1, page: { accountUserId, at: 1_795_000_000_000 } },
    effectId: `${broadcast.id}:${accountUserId}`,
  },
};

afterEach(() => {
  vi.restoreAllMocks();
});

test.each(Object.entries(CASES))("is sent and confirmed by a %s's object", async (_, it) => {
  const stub = it.stub();
  await runInDurableObject(stub, async (_, { storage }) => {
    it.store(storage);
    await storage.setAlarm(later);
  });
  await evict(stub);
  const rows = () =>
    runInDurableObject(stub, (_, { storage }) =>
      storage.sql.exec(`select attempts, next_at from ${it.table}`).toArray(),
    );
  const refusing = interceptQueue(async () => {
    throw new Error("Too Many Requests");
  });
  const refusedAt = Date.now();
  await runDurableObjectAlarm(stub);
  const [refused] = await rows();
  expect(refused?.attempts).toBe(1);
  // Not as long as it would wait for a confirmation.
  expect(Number(refused?.next_at)).toBeGreaterThanOrEqual(refusedAt + 1_000);
  expect(Number(refused?.next_at)).toBeLessThanOrEqual(Date.now() + 1_000);
  refusing.mockRestore();
  const sent: unknown[] = [];
  interceptQueue(async (taken) => {
    sent.push(...taken);
  });
  vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ["Date"] });
  try {
    await runDurableObjectAlarm(stub);
    expect(sent).toMatchObject([it.sent]);
    expect(await rows()).toMatchObject([{ attempts: 2 }]);
  } finally {
    vi.useRealTimers();
  }
  const { page } = messages.notice;
  const report = { effectId: it.effectId, lines: [], unreached: false, page };
  await (stub as unknown as { confirm(reports: object[]): Promise<void> }).confirm([report]);
  expect(await rows()).toEqual([]);
  await runInDurableObject(stub, (_, { storage }) => storage.deleteAlarm());
});
