// A worker that does for an alert what the platform must do, and nothing else: the floor beside which the service is
// measured. Not deployed. Of a new alert whose person is paged by mail, as `floor.ts` counts it of both sides:
//
// - 3 calls of objects: the inbox accepts, a new object of the alert is created, the page is confirmed. No alarm fires;
// - the inbox commits the event with its ordering key, and deletes what is logged once a second;
// - the alert's object commits its value twice, each time with its alarm;
// - D1 in 2 trips of the alert (5 reads before it decides; its state with 5 rows) and 3 of the consumer for a batch of
//   pages (whom to notify; 2 rows; 1 row), and one a second for the log, with 2 rows for each request;
// - 1 queue message, and the provider's call.
//
// Of a repeated `Id`: 1 call and 1 commit of the inbox, its log, and once a second a call of the alert's object, with
// a commit, an alarm that fires and a trip to D1.
import { DurableObject } from "cloudflare:workers";

type Env = {
  readonly DB: D1Database;
  readonly INTEGRATION_INBOX: DurableObjectNamespace<IntegrationInbox>;
  readonly ALERT: DurableObjectNamespace<AlertObject>;
  readonly PAGES: Queue;
  readonly PROVIDER: string;
};

/** What is sent and stored is as long as the service's (characters). */
const TEXTS = {
  event: "e".repeat(420),
  request: "r".repeat(480),
  draft: "d".repeat(1_100),
  value: "v".repeat(2_300),
  row: "a".repeat(950),
  index: "i".repeat(60),
  log: "l".repeat(700),
  message: "m".repeat(1_700),
  notification: "n".repeat(250),
};

/** Deliveries of an inbox at the same time, as the service has them. */
const PARALLEL = 24;
const DELIVERY_DELAY_MS = 2;
const LOG_INTERVAL_MS = 1_000;
const RECOVERY_MS = 1_000;
/** When a person who does not answer is followed by another. */
const ESCALATION_MS = 600_000;

const EVENTS = `create table if not exists events (sequence integer primary key, id text, event text, request text);
  create table if not exists ordering_keys (id text primary key, alert text not null) without rowid;`;

/** The one table of the database: a row costs a row, as an entry of an index does. */
const ROWS = "create table if not exists floor (id text primary key, body text) without rowid";

/** Reads with nothing in them. */
const reads = (db: D1Database, count: number) =>
  Array.from({ length: count }, () => db.prepare("select 1 where 0"));

/** Writes rows of these texts; one that exists is changed. */
const writes = (db: D1Database, rows: readonly (readonly [id: string, body: string])[]) =>
  db
    .prepare(
      `insert into floor select value->>0, value->>1 from json_each(?) where true
        on conflict (id) do update set body = excluded.body`,
    )
    .bind(JSON.stringify(rows));

type Waiting = { readonly id: string; isNew: boolean; count: number; dueAt: number };

export class IntegrationInbox extends DurableObject<Env> {
  #last = 0;
  #alarmAt = 0;
  #running = 0;
  #timer = false;
  #logging = false;
  #loggedAt = 0;
  readonly #known = new Map<string, Waiting>();
  readonly #due = new Set<Waiting>();
  #settled: number[] = [];
  #sequences: number[] = [];

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.storage.sql.exec(EVENTS);
  }

  async receive(id: string): Promise<string> {
    const now = Date.now();
    const { sql } = this.ctx.storage;
    const sequence = Math.max(this.#last + 1, now * 1_000);
    this.#last = sequence;
    sql.exec("insert into events values (?, ?, ?, ?)", sequence, id, TEXTS.event, TEXTS.request);
    const known = this.#known.get(id) ?? { id, isNew: true, count: 0, dueAt: 0 };
    if (known.isNew && known.count === 0)
      sql.exec("insert into ordering_keys values (?, ?)", id, id);
    known.count += 1;
    this.#known.set(id, known);
    this.#due.add(known);
    this.#sequences.push(sequence);
    if (this.#alarmAt <= now) {
      this.#alarmAt = now + RECOVERY_MS;
      void this.ctx.storage.setAlarm(this.#alarmAt);
    }
    this.#wake(DELIVERY_DELAY_MS);
    return String(sequence);
  }

  #wake(ms: number): void {
    if (this.#timer) return;
    this.#timer = true;
    setTimeout(() => {
      this.#timer = false;
      this.#deliverDue();
    }, ms);
  }

  #deliverDue(): void {
    const now = Date.now();
    for (const waiting of this.#due) {
      if (this.#running >= PARALLEL) break;
      if (waiting.dueAt > now) continue;
      this.#due.delete(waiting);
      this.#running += 1;
      this.ctx.waitUntil(this.#deliver(waiting));
    }
    if (this.#running > 0) return;
    this.ctx.waitUntil(this.#log());
    if (this.#due.size > 0) this.#wake(LOG_INTERVAL_MS / 4);
  }

  async #deliver(waiting: Waiting): Promise<void> {
    const { id, isNew } = waiting;
    waiting.isNew = false;
    waiting.count = 0;
    await this.env.ALERT.getByName(id).create(id, isNew, TEXTS.draft);
    waiting.dueAt = Date.now() + LOG_INTERVAL_MS;
    this.#settled.push(...this.#sequences.splice(0));
    this.#running -= 1;
    this.#deliverDue();
  }

  async #log(): Promise<void> {
    if (this.#logging) return;
    this.#logging = true;
    await scheduler.wait(Math.max(0, this.#loggedAt + LOG_INTERVAL_MS - Date.now()));
    for (
      let logged = this.#settled.splice(0, 100);
      logged.length > 0;
      logged = this.#settled.splice(0, 100)
    ) {
      const { DB } = this.env;
      const rows = logged.flatMap((it) => [
        [`log ${it}`, TEXTS.log] as const,
        [`log owner ${it}`, TEXTS.index] as const,
      ]);
      await DB.batch([writes(DB, rows), ...reads(DB, 1)]);
      this.ctx.storage.sql.exec(
        "delete from events where sequence in (select value from json_each(?))",
        JSON.stringify(logged),
      );
    }
    this.#loggedAt = Date.now();
    this.#logging = false;
  }

  override async alarm(): Promise<void> {}
}

export class AlertObject extends DurableObject<Env> {
  #count = 0;

  async create(id: string, isNew: boolean, draft: string): Promise<string> {
    const { DB } = this.env;
    if (isNew) await DB.batch(reads(DB, 5));
    this.#count += 1;
    this.ctx.storage.kv.put("alert", TEXTS.value);
    void this.ctx.storage.setAlarm(Date.now() + RECOVERY_MS);
    setTimeout(() => this.ctx.waitUntil(this.#deliver(id, isNew)), 0);
    return draft;
  }

  async #deliver(id: string, isNew: boolean): Promise<void> {
    const { DB, PAGES } = this.env;
    const rows = isNew
      ? [
          [id, TEXTS.row] as const,
          ...[1, 2, 3, 4].map((at) => [`${id} ${at}`, TEXTS.index] as const),
        ]
      : [[id, TEXTS.row] as const];
    await Promise.all([
      isNew ? PAGES.send({ id, message: TEXTS.message }) : null,
      // Of a repeated `Id` the state is sent twice: an insert of it, and an update.
      DB.batch([
        ...reads(DB, 3),
        writes(DB, rows),
        DB.prepare("select length(?)").bind(isNew ? TEXTS.index : TEXTS.row),
      ]),
    ]);
  }

  async confirm(): Promise<void> {
    this.ctx.storage.kv.put("alert", TEXTS.value);
    void this.ctx.storage.setAlarm(Date.now() + ESCALATION_MS);
  }

  override async alarm(): Promise<void> {
    void this.ctx.storage.setAlarm(Date.now() + ESCALATION_MS);
  }
}

type Page = { readonly id: string };

async function consume(
  { messages }: MessageBatch<Page>,
  { DB, ALERT, PROVIDER }: Env,
): Promise<void> {
  const bodies = messages.map((it) => it.body);
  await DB.batch(reads(DB, 1));
  const inserted = bodies.flatMap(({ id }) => [
    [`page ${id}`, TEXTS.notification] as const,
    [`page owner ${id}`, TEXTS.index] as const,
  ]);
  await DB.batch([writes(DB, inserted), ...reads(DB, 1)]);
  await Promise.all(
    bodies.map(async ({ id }) => {
      const headers = { "Content-Type": "application/json", "Idempotency-Key": id };
      const sent = await fetch(PROVIDER, { method: "POST", headers, body: TEXTS.message });
      await sent.json();
    }),
  );
  const sent = bodies.map(({ id }) => [`page ${id}`, TEXTS.notification] as const);
  await DB.batch([...reads(DB, 1), writes(DB, sent)]);
  await Promise.all(bodies.map(({ id }) => ALERT.getByName(id).confirm()));
  for (const message of messages) message.ack();
}

export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    if (pathname === "/health") {
      await env.DB.prepare(ROWS).run();
      return new Response();
    }
    const { Id } = await request.json<{ Id: string }>();
    // An `Id` is one of its integration, as the service has it.
    const inbox = env.INTEGRATION_INBOX.getByName(pathname);
    return Response.json({ log_id: await inbox.receive(`${pathname} ${Id}`) });
  },
  queue: (batch, env) => consume(batch as MessageBatch<Page>, env),
} satisfies ExportedHandler<Env>;
