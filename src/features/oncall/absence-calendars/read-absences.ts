// Reads a person's absence calendar, or the public holidays of its region, into their
// absences. A failure changes none.

import { decideAbsences } from "../../../domain/oncall/absences/calendar-absences.ts";
import {
  maySkipUnchanged,
  nextReadAfterFailure,
} from "../../../domain/oncall/imports/reading-times.ts";
import { counted } from "../../../domain/shared/counted.ts";
import { DAY, MINUTE } from "../../../domain/shared/time.ts";
import { assertUnchanged } from "../../../kernel/db/optimistic-retry.ts";
import { isPreconditionFailed } from "../../../kernel/db/precondition.ts";
import { batch } from "../../../kernel/db/select.ts";
import { notifyChanges } from "../../change/notify-changes.ts";
import { absenceCalendars } from "../../schema/calendar-imports.ts";
import { INTERRUPTED, pauseOf, type ReadingRequest } from "../calendar-imports/reading-request.ts";
import {
  recordComplete,
  recordFailure,
  recordUnchanged,
} from "../calendar-imports/reading-rows.ts";
import { readAbsenceSource } from "./absence-source.ts";
import {
  type StoredAbsenceCalendar,
  selectStoredAbsenceCalendar,
  selectStoredAbsences,
  writeAbsences,
} from "./rows.ts";

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
  request: ReadingRequest,
): Promise<number | null> {
  const { id, accountId, complete, begin } = request;
  const [[stored]] = await batch(env.DB, [selectStoredAbsenceCalendar(accountId, id)]);
  if (!stored) return null;
  const pause = pauseOf(request, stored);
  if (pause !== null) return fail(env, stored, INTERRUPTED, pause);
  const maySkip = !complete && maySkipUnchanged(stored.completeAt, Date.now());
  const validators = maySkip ? validatorsOf(stored) : null;
  const read = await readAbsenceSource(env, stored, validators, () => begin(stored.updatedAt));
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
      recordComplete(absenceCalendars, id, read, nextAt, now, partialError(read.unreadable)),
    ]);
  } catch (error) {
    // The calendar itself was changed: its writer asks for another reading.
    if (isPreconditionFailed(error)) return now + MINUTE;
    throw error;
  }
  // Rotations that skip who is away follow.
  if (Object.values(changes).some((list) => list.length > 0)) await notifyChanges(env, accountId);
  return nextAt;
}

/** What a reading leaves out, as a sentence without an end: who is away then would be paged. */
function partialError(unreadable: readonly string[]): string | null {
  const [first] = unreadable;
  if (first === undefined) return null;
  const count = unreadable.length;
  return `${counted(count, "event")} could not be read: ${first || "untitled"}`;
}

const validatorsOf = ({ etag, lastModified }: StoredAbsenceCalendar) => ({ etag, lastModified });

async function fail(
  env: Cloudflare.Env,
  { id, failures: before, failingSince: since }: StoredAbsenceCalendar,
  error: string,
  pause: number | null = null,
): Promise<number> {
  const now = Date.now();
  const failures = before + 1;
  const failingSince = since ?? now;
  const nextReadAt = pause ?? nextReadAfterFailure(failures, failingSince, now);
  const failure = { error, failures, failingSince, nextReadAt };
  await batch(env.DB, [recordFailure(absenceCalendars, id, failure)]);
  return nextReadAt;
}
