// Reads a person's absence calendar, or the public holidays of its region, into their
// unavailabilities. A failure changes none.
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
  maySkipUnchanged,
  nextReadAfterFailure,
} from "../../../domain/oncall/imports/reading-times.ts";
import { decideAbsences } from "../../../domain/oncall/unavailability/absence-decision.ts";
import { DAY, MINUTE } from "../../../domain/shared/time.ts";
import { notifyChanges } from "../../shared/notify-changes.ts";
import { readAbsenceSource } from "./absence-source.ts";
import type { ReadingRequest } from "./calendar-reader.ts";

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
  const maySkip = !complete && maySkipUnchanged(stored.completeAt, Date.now());
  const read = await readAbsenceSource(env, stored, maySkip ? validatorsOf(stored) : null);
  if (read.kind === "failed") return fail(env, stored, read.reason);
  const now = Date.now();
  const nextAt = now + INTERVAL;
  if (read.kind === "unchanged") {
    await batch(env.DB, [recordUnchanged(absenceCalendars, id, nextAt, now)]);
    return nextAt;
  }
  const [before] = await batch(env.DB, [selectStoredAbsences(id, now)]);
  const changes = decideAbsences(before, read.absences, now);
  try {
    await batch(env.DB, [
      assertUnchanged(absenceCalendars, id, stored.updatedAt),
      ...writeAbsences(stored, changes, now - STORED_FOR, now),
      recordComplete(absenceCalendars, id, read, nextAt, now),
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

const validatorsOf = ({ etag, lastModified }: StoredAbsenceCalendar) => ({ etag, lastModified });

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
