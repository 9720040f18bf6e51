// Reads the calendar of an import into the shifts of its schedule. A failure changes no shift.

import { sql } from "drizzle-orm";
import type { PageMessage } from "../../../domain/notifications/page.ts";
import {
  isFailingTooLong,
  maySkipUnchanged,
  nextReadAfterFailure,
} from "../../../domain/oncall/imports/reading-times.ts";
import { DAY, HOUR } from "../../../domain/shared/time.ts";
import { string } from "../../../kernel/db/attributes.ts";
import { newIdOf } from "../../../kernel/db/identifiers.ts";
import { assertUnchanged } from "../../../kernel/db/optimistic-retry.ts";
import { isPreconditionFailed } from "../../../kernel/db/precondition.ts";
import { batch } from "../../../kernel/db/select.ts";
import { type NewEntry, withEntry } from "../../change/change-entries.ts";
import { notifyChanges } from "../../change/notify-changes.ts";
import { calendarImports } from "../../schema/calendar-imports.ts";
import { decideReading } from "./decide-reading.ts";
import { type FetchedCalendar, fetchSource } from "./fetch-calendar.ts";
import { readTeamAdmins } from "./import-audience.ts";
import { failureNotices } from "./import-notices.ts";
import { recordImport, type StoredImport, selectStoredImport } from "./import-rows.ts";
import {
  readOverriddenFamilies,
  recordedImport,
  writeImportChanges,
} from "./imported-event-rows.ts";
import { INTERRUPTED, pauseOf, type ReadingRequest } from "./reading-request.ts";
import { recordComplete, recordFailure, recordUnchanged } from "./reading-rows.ts";

/** A posted text does not change, but its window moves. */
const TEXT_INTERVAL = DAY;
const URL_INTERVAL = HOUR;

/** Stores notices of a failure since an instant (epoch ms), once for each. */
type ExpectNotices = (messages: readonly PageMessage[], failingSince: number) => void;

/** Attempts, if people change overrides of the shifts at the same time. */
const MAX_ATTEMPTS = 4;

/**
 * Reads an import's calendar, writes its changes and the result.
 *
 * @param expectNotices stores notices that are then sent
 * @returns when to read it again (epoch ms); null: the import was deleted
 * @throws if D1 does
 */
export async function readImport(
  env: Cloudflare.Env,
  request: ReadingRequest,
  expectNotices: ExpectNotices,
): Promise<number | null> {
  const { id, accountId, complete, begin } = request;
  const [[stored]] = await batch(env.DB, [selectStoredImport(accountId, id)]);
  if (!stored) return null;
  const pause = pauseOf(request, stored);
  if (pause !== null) return fail(env, stored, INTERRUPTED, expectNotices, pause);
  const fetched = await fetchStored(env, stored, complete);
  if (fetched.kind === "failed") return fail(env, stored, fetched.reason, expectNotices);
  if (fetched.kind === "unchanged") {
    const now = Date.now();
    const nextAt = now + URL_INTERVAL;
    await batch(env.DB, [recordUnchanged(calendarImports, id, nextAt, now)]);
    return nextAt;
  }
  await begin(stored.updatedAt);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const outcome = await importShifts(env, stored, fetched);
      if ("reason" in outcome) return fail(env, stored, outcome.reason, expectNotices);
      if (outcome.hasChanges) await notifyChanges(env, accountId);
      return outcome.nextAt;
    } catch (error) {
      if (!isPreconditionFailed(error)) throw error;
      // The import itself was changed: its writer asks for another reading.
      if (attempt === MAX_ATTEMPTS) return Date.now() + HOUR / 60;
    }
  }
}

type ReadText = Extract<FetchedCalendar, { kind: "read" }>;

function fetchStored(
  env: Cloudflare.Env,
  { etag, lastModified, completeAt, ...source }: StoredImport,
  complete: boolean,
): Promise<FetchedCalendar> {
  const maySkip = !complete && maySkipUnchanged(completeAt, Date.now());
  return fetchSource(env, source, maySkip ? { etag, lastModified } : null);
}

type Imported =
  | { readonly nextAt: number; readonly hasChanges: boolean }
  | { readonly reason: string };

async function importShifts(
  env: Cloudflare.Env,
  stored: StoredImport,
  { text, ...validators }: ReadText,
): Promise<Imported> {
  const { id, accountId, updatedAt, url } = stored;
  const { DB } = env;
  const now = Date.now();
  const decided = await decideReading(DB, stored, text, now);
  if ("reason" in decided) return decided;
  const { changes, ...result } = decided;
  const families = await readOverriddenFamilies(DB, accountId, changes, now);
  const nextAt = now + (url === null ? TEXT_INTERVAL : URL_INTERVAL);
  const hasChanges = Object.values(changes).some((list) => list.length > 0);
  const writes = hasChanges ? writeImportChanges(stored, changes, families, now) : [];
  await batch(DB, [
    assertUnchanged(calendarImports, id, updatedAt),
    ...(hasChanges ? withEntry(accountId, entryOf(stored, now), writes) : []),
    recordImport(id, result),
    recordComplete(calendarImports, id, validators, nextAt, now),
  ]);
  return { nextAt, hasChanges };
}

/** The entry of the history for a reading that changes shifts. */
function entryOf({ id, accountId, scheduleId }: StoredImport, now: number): NewEntry {
  const { touches, concerns } = recordedImport(id, scheduleId, now);
  return {
    id: newIdOf("change", now),
    now,
    actor: { kind: "system", accountId },
    verb: "read",
    kind: "calendar_import",
    recordId: id,
    record: {
      attributes: { name: string(calendarImports.name) },
      from: sql`from ${calendarImports} where ${calendarImports.id} = ${id}`,
    },
    touched: touches,
    scheduleIds: concerns,
  };
}

async function fail(
  env: Cloudflare.Env,
  stored: StoredImport,
  error: string,
  expectNotices: ExpectNotices,
  pause: number | null = null,
): Promise<number> {
  const { id, accountId, scheduleId } = stored;
  const now = Date.now();
  const failures = stored.failures + 1;
  const failingSince = stored.failingSince ?? now;
  const nextReadAt = pause ?? nextReadAfterFailure(failures, failingSince, now);
  if (isFailingTooLong(failingSince, now)) {
    const audience = await readTeamAdmins(env.DB, accountId, scheduleId);
    expectNotices(failureNotices({ ...stored, failingSince }, audience, error), failingSince);
  }
  const failure = { error, failures, failingSince, nextReadAt };
  await batch(env.DB, [recordFailure(calendarImports, id, failure)]);
  return nextReadAt;
}
