import type { PersonActor } from "../../../domain/access/actor.ts";
import { incidentOf } from "../../../domain/alerts/alert.ts";
import { markTitle } from "../../../domain/alerts/exercise.ts";
import type { Refusal } from "../../../domain/shared/refusal.ts";
import { HOUR } from "../../../domain/shared/time.ts";
import type { Context } from "../../change/context.ts";
import { draftOf } from "../alerts/alert-draft.ts";
import type { Alert } from "../alerts/contract.ts";
import { createFromDraft } from "../alerts/verbs.ts";
import { admitExercise } from "./admit-exercise.ts";

/** An unanswered test resolves by itself. */
const RESOLVES_AFTER_MS = HOUR;

/**
 * Pages the actor by their own rules and channels, as a real alert would.
 *
 * @param id the ULID of the alert; a repeated one counts once
 * @returns the alert; 429 over the hourly limit; 503
 */
export async function startTestPage(
  context: Context<PersonActor>,
  id: string,
): Promise<Alert | Refusal> {
  const { env, actor } = context;
  const { accountId, accountUserId } = actor;
  const exercise = { accountId, alertId: id, kind: "test", startedById: accountUserId } as const;
  const refusal = await admitExercise(context, { ...exercise, teamId: null });
  if (refusal) return refusal;
  const body = {
    title: markTitle(`Test page for ${actor.name}`, "test"),
    description: "This is a test. Acknowledge it to confirm that notifications reach you.",
    urgency: "high",
    tags: ["test"],
    meta: incidentOf({}),
    thirdparty_id: null,
  } as const;
  const destinations = { teamIds: [], routerIds: [], accountUserIds: [accountUserId] };
  return createFromDraft(env, {
    ...draftOf(actor, id, { ...body, tags: [...body.tags] }, destinations),
    exercise: "test",
    autoResolveMs: RESOLVES_AFTER_MS,
  });
}
