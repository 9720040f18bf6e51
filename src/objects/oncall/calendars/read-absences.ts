// Reads a person's absence calendar into their unavailabilities. A failure changes none.
import {
  recordComplete,
  recordFailure,
  recordUnchanged,
} from "../../../db/oncall/imports/reading-rows.ts";
import {
  type StoredAbsenceCalendar,
  selectStoredAbsenceCalendar,
  selectStoredAbsences,
  writeAbsences,
} from "../../../db/oncall/unavailability/absence-rows.ts";
import { absenceCalendars } from "../../../db/schema/calendars/calendar-imports.ts";
import { assertUnchanged } from "../../../db/shared/optimistic-retry.ts";
import { isPreconditionFailed } from "../../../db/shared/precondition.ts";
import { batch } from "../../../db/shared/select.ts";
import {
  fitImport,
  importWindow,
  maySkipUnchanged,
  nextReadAfterFailure,
} from "../../../domain/oncall/imports/reading-times.ts";
import { decideAbsences } from "../../../domain/oncall/unavailability/absence-decision.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { DAY, MINUTE } from "../../../domain/shared/time.ts";
import { readCalendar } from "../../../integrations/calendars/read-calendar.ts";
import { notifyChanges } from "../../shared/notify-changes.ts";
import type { ReadingRequest } from "./calendar-reader.ts";
import { fetchCalendar } from "./fetch-calendar.ts";

const INTERVAL = DAY;

/** How long past absences of a calendar are stored (ms). */
const STORED_FOR = 90 * DAY;

/**
 * Reads an absence calendar, writes its changes and the result.
 *
 * @returns when to read it again (epoch ms); null: it was deleted
 * @throws if D1 does
 */
export async function readAbsences(
  env: Cloudflare.Env,
  { id, accountId, complete }: ReadingRequest,
): Promise<number | null> {
  const [[stored]] = await batch(env.DB, [selectStoredAbsenceCalendar(accountId, id)]);
  if (!stored) return null;
  const { etag, lastModified } = stored;
  const maySkip = !complete && maySkipUnchanged(stored.completeAt, Date.now());
  const fetched = await fetchCalendar(env, stored.url, maySkip ? { etag, lastModified } : null);
  if (fetched.kind === "failed") return fail(env, stored, fetched.reason);
  const now = Date.now();
  const nextAt = now + INTERVAL;
  if (fetched.kind === "unchanged") {
    await batch(env.DB, [recordUnchanged(absenceCalendars, id, nextAt, now)]);
    return nextAt;
  }
  const window = importWindow(now);
  const reading = readCalendar(fetched.text, window);
  if (isRefusal(reading)) return fail(env, stored, `the calendar ${reading.errors[0]?.message}`);
  const absences = fitImport(reading.entries, window).shifts.map((it) => ({
    key: it.key,
    startAt: it.startAt,
    endAt: it.endAt,
    reason: it.summary === "" ? null : it.summary,
  }));
  const [before] = await batch(env.DB, [selectStoredAbsences(id, now)]);
  const changes = decideAbsences(before, absences, now);
  try {
    await batch(env.DB, [
      assertUnchanged(absenceCalendars, id, stored.updatedAt),
      ...writeAbsences(stored, changes, now - STORED_FOR, now),
      recordComplete(absenceCalendars, id, fetched, nextAt, now),
    ]);
  } catch (error) {
    // The calendar itself was changed: its writer asks for another reading.
    if (isPreconditionFailed(error)) return now + MINUTE;
    throw error;
  }
  // Rotations that skip who is unavailable follow.
  if (Object.values(changes).some((list) => list.length > 0)) await notifyChanges(env, accountId);
  return nextAt;
}

async function fail(
  env: Cloudflare.Env,
  { id, failures: before, failingSince: since }: StoredAbsenceCalendar,
  error: string,
): Promise<number> {
  const now = Date.now();
  const failures = before + 1;
  const failingSince = since ?? now;
  const nextReadAt = nextReadAfterFailure(failures, failingSince, now);
  const failure = { error, failures, failingSince, nextReadAt };
  await batch(env.DB, [recordFailure(absenceCalendars, id, failure)]);
  return nextReadAt;
}
