// Announcements of an alert's steps to the account's outgoing integrations: stored in the step's
// commit and deleted once they are queued for the integrations.
import { presentAlert } from "../../db/alerts/alert-rows.ts";
import type { Alert } from "../../domain/alerts/alert.ts";
import { alertAudience, alertEvents } from "../../domain/alerts/alert-events.ts";
import type { Command, CommandAuthor } from "../../domain/alerts/commands.ts";
import type { Announcement } from "../../domain/integrations/announcement.ts";

/** Exceeds the number of events that one step can have. */
const MAX_EVENTS_PER_STEP = 1_000;

/** The announcements of a step that was decided at `now` (epoch ms). */
export function announcementsOf(
  before: Alert | null,
  after: Alert,
  command: Command,
  now: number,
): readonly Announcement[] {
  const events = alertEvents(before, after, command, now);
  if (events.length === 0) return [];
  const alert = presentAlert(after);
  const payload = {
    about: "alert",
    alert,
    sourceName: after.source.name,
    destinations: after.workflows.map((it) => it.destinationName),
  } as const;
  const audience = alertAudience(after);
  return events.map(({ event, by, detail }, i) => ({
    effectId: `${after.id}:${after.version}:${i}`,
    event,
    at: now,
    lane: after.id,
    sequence: after.version * MAX_EVENTS_PER_STEP + i,
    alertId: after.id,
    audience,
    from: reporterOf(after, command, by),
    trail: [...(command.type === "create" ? (command.draft.trail ?? []) : (by?.trail ?? []))],
    payload: { ...payload, by: actorOf(event === "alert.created" ? creatorOf(after) : by), detail },
  }));
}

const actorOf = (by: CommandAuthor | null) =>
  by && { accountUserId: by.accountUserId, name: by.name };

const creatorOf = ({ source }: Alert): CommandAuthor => ({
  accountUserId: source.type === "AccountUser" ? source.id : null,
  name: source.name,
});

/** The id of the integration that reported the event; null if none did. */
function reporterOf({ source }: Alert, command: Command, by: CommandAuthor | null): string | null {
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

  /** Stores announcements, as part of a step's commit. `nextAt`: when to retry (epoch ms). */
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

  /** All pending announcements, in order. */
  pending(): readonly Announcement[] {
    if (!this.#exists) return [];
    return this.#storage.sql
      .exec<{ body: string }>("select body from announcements order by sequence")
      .toArray()
      .map(({ body }) => JSON.parse(body) as Announcement);
  }

  /** When to try next (epoch ms); null if none is pending. */
  nextAt(): number | null {
    if (!this.#exists) return null;
    const query = "select min(next_at) as at from announcements";
    return this.#storage.sql.exec<{ at: number | null }>(query).one().at;
  }

  /** Deletes announcements that are queued, and all before them. */
  deleteQueued(announcements: readonly Announcement[]): void {
    const last = announcements.at(-1);
    if (last === undefined) return;
    this.#storage.sql.exec("delete from announcements where sequence <= ?", last.sequence);
  }

  /** Postpones all pending announcements to `nextAt` (epoch ms). */
  postpone(nextAt: number): void {
    this.#storage.sql.exec("update announcements set next_at = ?", nextAt);
  }

  /** To be called when the object's storage is deleted. */
  reset(): void {
    this.#exists = false;
  }
}
