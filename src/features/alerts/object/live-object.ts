// The live updates of one account: holds the WebSockets of its open consoles and sends them the ids
// of alerts that changed. Never their content: a page reads that as always, with its own session.
// While somebody watches, a row in D1 says so to the alerts' objects, which then call this one. The
// row ends with the first change that nobody receives, so that an account without watchers pays
// nothing. Sockets hibernate: an idle console costs no duration.
import { HOUR, MINUTE, SECOND } from "../../../domain/shared/time.ts";
import { statement } from "../../../kernel/db/database.ts";
import { all, first } from "../../../kernel/db/select.ts";
import { withTimeout } from "../../../kernel/db/timeout.ts";
import { AlarmObject, type AlarmWork } from "../../../kernel/objects/alarm-object.ts";
import { SerialQueue } from "../../../kernel/objects/serial-queue.ts";
import type { ChangedAlert, LiveStub, Watcher } from "../../rpc.ts";
import { WATCHER_HEADER } from "../../stubs.ts";
import {
  selectWatched,
  selectWatchingSessions,
  unwatchAccount,
  watchAccount,
} from "./watched-account-rows.ts";

// Sends changes of alerts in messages: the first at once, those that follow within a moment
// together, so that a storm of alerts does not become a storm of messages.

/** The interval between two messages (ms). */
const INTERVAL_MS = 200;
/** A message that would list more alerts asks for a refresh instead. */
const MAX_LISTED = 50;

class ChangeQueue {
  readonly #send: (text: string) => void;
  /** Versions by alert id; null: no step. */
  #pending = new Map<string, number | null>();
  #isPaused = false;

  /** @param send called with a message, as JSON */
  constructor(send: (text: string) => void) {
    this.#send = send;
  }

  add({ id, version }: ChangedAlert): void {
    const before = this.#pending.get(id) ?? null;
    this.#pending.set(id, version === null ? before : Math.max(version, before ?? 0));
    if (!this.#isPaused) this.#flush();
  }

  #flush(): void {
    this.#isPaused = this.#pending.size > 0;
    if (!this.#isPaused) return;
    const changes = [...this.#pending].map(([id, version]) => ({ id, version }));
    this.#pending = new Map();
    this.#send(JSON.stringify(changes.length > MAX_LISTED ? { refresh: true } : { changes }));
    setTimeout(() => this.#flush(), INTERVAL_MS);
  }
}

type Watch = {
  readonly accountId: string;
  /** Since when every change is sent here (epoch ms). */
  readonly since: number;
  /** Until when the row in D1 is valid (epoch ms). */
  readonly until: number;
  /** When the last change was sent here (epoch ms). */
  readonly changedAt: number;
};

/** What is stored with a socket. */
type Attached = { readonly tokenHash: string };

/** How long the row in D1 is valid, and how long before its end it is renewed (ms). */
const WATCH_MS = 2 * HOUR;
const RENEW_MS = HOUR;

/** A page may have been read from a replica that was behind by as much (ms). */
const REPLICA_LAG_MS = 5 * SECOND;

/** How long a session that was found valid may receive messages without another check (ms). */
const SESSION_VALID_MS = 30 * SECOND;
const SESSION_TIMEOUT_MS = 2 * SECOND;

/** How often sessions are checked while nothing changes (ms). */
const SESSION_CHECK_MS = 10 * MINUTE;

/** Sockets of one session; the oldest are closed. Browsers open one per tab. */
const MAX_SOCKETS = 30;

/** WebSocket close codes: the session ended; there are too many sockets. */
const SESSION_ENDED = 4401;
const TOO_MANY = 4429;

const KEY = "watch";

export class LiveObject extends AlarmObject implements LiveStub {
  protected override readonly alarmWork: AlarmWork = {
    kind: "live",
    failure: "a watch could not be renewed",
    nextAt: () => this.#nextAt(),
    run: () => this.#steps.run(() => this.#renew()),
  };
  readonly #changes = new ChangeQueue((text) => this.#send(text));
  /** D1 must have the row whenever the object says that it watches. */
  readonly #steps = new SerialQueue();
  /** When all sessions were last found valid or closed (epoch ms). */
  #checkedAt = 0;
  readonly #wokeAt = Date.now();

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
  }

  /**
   * Accepts a console's WebSocket, which is not possible by RPC. Its first message says whether the
   * page has to be refreshed. 503 if D1 cannot be reached: the console keeps polling then.
   */
  override async fetch(request: Request): Promise<Response> {
    const { accountId, tokenHash, shownAt } = JSON.parse(
      request.headers.get(WATCHER_HEADER) ?? "",
    ) as Watcher;
    const watch = await this.#steps.run(() => this.#watch(accountId, Date.now())).catch(() => null);
    if (watch === null) return new Response(null, { status: 503 });
    const isFirst = this.#sockets().length === 0;
    const { 0: client, 1: server } = new WebSocketPair();
    const own = this.#sockets(tokenHash);
    for (const socket of own.slice(0, Math.max(0, own.length + 1 - MAX_SOCKETS)))
      socket.close(TOO_MANY, "too many connections");
    this.ctx.acceptWebSocket(server, [tokenHash]);
    server.serializeAttachment({ tokenHash } satisfies Attached);
    if (isFirst) this.arm();
    const known = shownAt - REPLICA_LAG_MS;
    server.send(JSON.stringify({ refresh: watch.since > known || watch.changedAt > known }));
    return new Response(null, { status: 101, webSocket: client });
  }

  /** Sends a change to everybody who watches. If nobody does, the watch ends. */
  async changed(alert: ChangedAlert): Promise<void> {
    const watch = this.#read();
    if (this.#sockets().length === 0) {
      await this.#steps.run(() => this.#endUnlessWatched());
      return;
    }
    if (watch !== null) this.ctx.storage.kv.put<Watch>(KEY, { ...watch, changedAt: Date.now() });
    if (this.#checkedAt < Date.now() - SESSION_VALID_MS) {
      await withTimeout(SESSION_TIMEOUT_MS, this.#closeEnded()).catch(() => undefined);
    }
    this.#changes.add(alert);
  }

  /** Closes the sockets of sessions that have just ended. */
  async sessionsEnded(): Promise<void> {
    if (this.#sockets().length > 0) await this.#closeEnded();
  }

  /** Clients only send pings, which are answered without waking the object. */
  override webSocketMessage(): void {}

  override webSocketClose(socket: WebSocket): void {
    socket.close();
  }

  override webSocketError(socket: WebSocket): void {
    socket.close();
  }

  /** The open sockets; those being closed are still listed by the platform. */
  #sockets(tokenHash?: string): WebSocket[] {
    return this.ctx
      .getWebSockets(tokenHash)
      .filter(({ readyState }) => readyState === WebSocket.OPEN);
  }

  #read(): Watch | null {
    return this.ctx.storage.kv.get<Watch>(KEY) ?? null;
  }

  #nextAt(): number | null {
    const watch = this.#read();
    if (watch === null) return null;
    const renewAt = watch.until - RENEW_MS;
    if (this.#sockets().length === 0) return renewAt;
    return Math.min(renewAt, Math.max(this.#wokeAt, this.#checkedAt) + SESSION_CHECK_MS);
  }

  /** Ensures that D1 has the row, for some time to come. Throws if D1 does. */
  async #watch(accountId: string, now: number): Promise<Watch> {
    const before = this.#read();
    if (before !== null && before.until - RENEW_MS > now) return before;
    const until = now + WATCH_MS;
    await statement(this.env.DB, watchAccount(accountId, until)).run();
    const isContinued = before !== null && before.until > now;
    const since = isContinued ? before.since : Date.now();
    const watch: Watch = { accountId, since, until, changedAt: before?.changedAt ?? 0 };
    this.ctx.storage.kv.put<Watch>(KEY, watch);
    this.arm();
    return watch;
  }

  /** Closes the sockets of ended sessions, and renews the watch while any is open. */
  async #renew(): Promise<void> {
    const watch = this.#read();
    if (watch === null) return;
    await this.#closeEnded();
    if (this.#sockets().length === 0) return this.#endUnlessWatched();
    await this.#watch(watch.accountId, Date.now());
  }

  /** Closes the sockets whose sessions have ended, or whose people have left the account. */
  async #closeEnded(): Promise<void> {
    const watch = this.#read();
    const sockets = this.#sockets();
    if (watch === null) return;
    const hashOf = (socket: WebSocket) => (socket.deserializeAttachment() as Attached).tokenHash;
    const hashes = [...new Set(sockets.map(hashOf))];
    const now = Date.now();
    const valid = await all(this.env.DB, selectWatchingSessions(watch.accountId, hashes, now));
    const isValid = new Set(valid.map(({ tokenHash }) => tokenHash));
    for (const socket of sockets)
      if (!isValid.has(hashOf(socket))) socket.close(SESSION_ENDED, "the session has ended");
    this.#checkedAt = now;
  }

  async #endUnlessWatched(): Promise<void> {
    const accountId = this.#read()?.accountId ?? this.ctx.id.name ?? "";
    if (this.#sockets().length > 0) return;
    const row = await first(this.env.DB, selectWatched(accountId, Date.now()));
    if (row !== null) await statement(this.env.DB, unwatchAccount(accountId)).run();
    this.forgetAlarm();
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  }

  #send(text: string): void {
    for (const socket of this.#sockets()) {
      try {
        socket.send(text);
      } catch {
        // It is closing; its console reconnects, and refreshes.
      }
    }
  }
}
