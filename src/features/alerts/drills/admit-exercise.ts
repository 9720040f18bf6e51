// Notes an exercise before its alert is created, within an hourly limit.
import { isRefusal, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { HOUR, SECOND } from "../../../domain/shared/time.ts";
import { retryOnConflict } from "../../../kernel/db/optimistic-retry.ts";
import { batch } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { type NewExercise, noteExercise, selectExercise } from "./rows.ts";

/** Test pages of a person, and drills of a team, in an hour. */
const PER_HOUR = { test: 5, drill: 3 } as const;

const TEXTS = {
  test: `at most ${PER_HOUR.test} test pages an hour; try again later`,
  drill: `at most ${PER_HOUR.drill} drills of a team an hour; try again later`,
} as const;

/**
 * Admits an exercise; 429 over the limit; 409 if the actor's role was revoked meanwhile. The same
 * one again is admitted.
 */
export async function admitExercise(
  { db, now, stillAllowed }: Pick<Context, "db" | "now" | "stillAllowed">,
  exercise: NewExercise,
): Promise<Refusal | null> {
  const notes = noteExercise(exercise, PER_HOUR[exercise.kind], now);
  const statements = [...stillAllowed, ...notes, selectExercise(exercise)];
  const results = await retryOnConflict(() => batch(db, statements));
  if (isRefusal(results)) return results;
  if (results.at(-1)?.length) return null;
  return { ...refuse("too_many", TEXTS[exercise.kind]), retryAfter: HOUR / SECOND };
}
