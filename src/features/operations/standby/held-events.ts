// The requests of senders that a standby has accepted, in order, until the primary has them.
import { isRefusal } from "../../../domain/shared/refusal.ts";
import type { ForwardedRequest, HeldEvent } from "../../rpc.ts";

type Row = { id: number; name: string; at: number; missed: number; request: string };

/** At most so many are stored, and so many given on at once (also in base64 characters). */
const MOST = 100_000;
const AT_ONCE = 100;
const LARGEST = 2_000_000;

const TABLE = `create table if not exists held (id integer primary key autoincrement, name text not null,
  at integer not null, missed integer not null default 0, delivered integer not null default 0,
  request text not null)`;

/** A held event as it is sent: its body in base64. */
export type SentEvent = Omit<HeldEvent, "request"> & {
  readonly request: Omit<ForwardedRequest, "body"> & { readonly body: string };
};

const toSent = ({ request, missed, ...rest }: Row): SentEvent => ({
  ...rest,
  missed: missed === 1,
  request: JSON.parse(request),
});

/** The event as its inbox takes it. */
export const toHeld = ({ request, ...rest }: SentEvent): HeldEvent => ({
  ...rest,
  request: { ...request, body: new Uint8Array(Buffer.from(request.body, "base64")) },
});

export class HeldEvents {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(TABLE);
  }

  get count(): number {
    return this.#sql.exec<{ n: number }>("select count(*) as n from held").one().n;
  }

  get isFull(): boolean {
    const text = "select coalesce(max(id) - min(id), 0) as n from held";
    return this.#sql.exec<{ n: number }>(text).one().n >= MOST;
  }

  /** Stores a request. `at` in epoch ms. */
  add(name: string, delivery: ForwardedRequest, at: number, missed: boolean): void {
    const { body } = delivery;
    const encoded = isRefusal(body) ? "" : Buffer.from(body).toString("base64");
    this.#sql.exec(
      "insert into held (name, at, missed, request) values (?, ?, ?, ?)",
      ...[name, at, Number(missed), JSON.stringify({ ...delivery, body: encoded })],
    );
  }

  /** Notes that the primary did not answer after `at` (epoch ms). */
  markMissed(at: number): void {
    this.#sql.exec("update held set missed = 1 where at > ? and missed = 0", at);
  }

  /** The next ones that were accepted before an instant (epoch ms), after an id. */
  next(before: number, after = 0): SentEvent[] {
    return this.#read("at < ? and id > ?", before, after);
  }

  /** The next ones that were not delivered here. */
  undelivered(): SentEvent[] {
    return this.#read("delivered = ?", 0);
  }

  #read(condition: string, ...bound: readonly number[]): SentEvent[] {
    const columns = "id, name, at, missed, request";
    const text = `select ${columns} from held where ${condition} order by id limit ${AT_ONCE}`;
    const found: SentEvent[] = [];
    let length = 0;
    for (const row of this.#sql.exec<Row>(text, ...bound)) {
      length += row.request.length;
      if (found.length > 0 && length > LARGEST) break;
      found.push(toSent(row));
    }
    return found;
  }

  delivered(ids: readonly number[]): void {
    this.#change("update held set delivered = 1", ids);
  }

  /** Those after the last take-over are delivered again by the next one. */
  forgetDeliveries(): void {
    this.#sql.exec("update held set delivered = 0");
  }

  remove(ids: readonly number[]): void {
    this.#change("delete from held", ids);
  }

  #change(what: string, ids: readonly number[]): void {
    if (ids.length === 0) return;
    this.#sql.exec(`${what} where id in (select value from json_each(?))`, JSON.stringify(ids));
  }
}
