// What an alert's object has to tell the account's outgoing integrations: made of each step, kept with it in one commit,
// and kept until it is queued for whoever is to tell of it.
import { presentAlert } from "../db/alert-rows.ts";
import type { Alert } from "../domain/alert.ts";
import { alertEvents, audienceOfAlert } from "../domain/alert-events.ts";
import type { Announcement } from "../domain/announcement.ts";
import type { By, Command } from "../domain/commands.ts";

/** Steps have fewer events than this. */
const MOST_IN_STEP = 1_000;

/** What a step is to others. `now` as it was decided at. */
export function announcementsOf(
  before: Alert | null,
  after: Alert,
  command: Command,
  now: number,
): readonly Announcement[] {
  const events = alertEvents(before, after, command, now);
  if (events.length === 0) return [];
  const alert = presentAlert(after);
  const said = {
    about: "alert",
    alert,
    sourceName: after.source.name,
    destinations: after.workflows.map((it) => it.destinationName),
  } as const;
  const audience = audienceOfAlert(after);
  return events.map(({ event, by, detail }, i) => ({
    effectId: `${after.id}:${after.version}:${i}`,
    event,
    at: now,
    lane: after.id,
    sequence: after.version * MOST_IN_STEP + i,
    alertId: after.id,
    audience,
    from: saidBy(after, command, by),
    trail: [...(command.type === "create" ? (command.draft.trail ?? []) : (by?.trail ?? []))],
    said: { ...said, by: spokenFor(event === "alert.created" ? makerOf(after) : by), detail },
  }));
}

const spokenFor = (by: By | null) => by && { accountUserId: by.accountUserId, name: by.name };

const makerOf = ({ source }: Alert): By => ({
  accountUserId: source.type === "AccountUser" ? source.id : null,
  name: source.name,
});

/** The integration through which it was said to us. */
function saidBy({ source }: Alert, command: Command, by: By | null): string | null {
  if (command.type !== "create") return by?.integrationId ?? null;
  return source.type === "Integration" ? source.id : null;
}

export class AlertAnnouncements {
  readonly #storage: DurableObjectStorage;
  #exists: boolean;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    const query = "select 1 from sqlite_master where name = 'announcements'";
    this.#exists = storage.sql.exec(query).toArray().length > 0;
  }

  /** Keeps them; part of a step's commit. `nextAt` (epoch ms): when they are told again unless they were told. */
  add(announcements: readonly Announcement[], nextAt: number): void {
    if (announcements.length === 0) return;
    const { sql } = this.#storage;
    if (!this.#exists) {
      sql.exec(
        "create table announcements (sequence integer primary key, body text not null, next_at integer not null)",
      );
      this.#exists = true;
    }
    for (const one of announcements) {
      const body = JSON.stringify(one);
      sql.exec("insert into announcements values (?, ?, ?)", one.sequence, body, nextAt);
    }
  }

  /** All that wait, in order. */
  waiting(): readonly Announcement[] {
    if (!this.#exists) return [];
    return this.#storage.sql
      .exec<{ body: string }>("select body from announcements order by sequence")
      .toArray()
      .map(({ body }) => JSON.parse(body) as Announcement);
  }

  /** When they are to be told again (epoch ms); null when none waits. */
  nextAt(): number | null {
    if (!this.#exists) return null;
    const query = "select min(next_at) as at from announcements";
    return this.#storage.sql.exec<{ at: number | null }>(query).one().at;
  }

  /** They are queued for whoever tells of them. */
  told(announcements: readonly Announcement[]): void {
    const last = announcements.at(-1);
    if (last === undefined) return;
    this.#storage.sql.exec("delete from announcements where sequence <= ?", last.sequence);
  }

  /** They could not be told: again, then. */
  notTold(nextAt: number): void {
    this.#storage.sql.exec("update announcements set next_at = ?", nextAt);
  }

  /** The storage was emptied. */
  gone(): void {
    this.#exists = false;
  }
}
