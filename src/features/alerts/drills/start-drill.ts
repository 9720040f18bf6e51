import type { PersonActor } from "../../../domain/access/actor.ts";
import { incidentOf } from "../../../domain/alerts/alert.ts";
import { markTitle } from "../../../domain/alerts/exercise.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { DAY } from "../../../domain/shared/time.ts";
import { openSession } from "../../../kernel/db/database.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { batch, first } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { draftOf } from "../alerts/alert-draft.ts";
import { createFromDraft } from "../alerts/verbs.ts";
import { admitExercise } from "./admit-exercise.ts";
import type { Drill } from "./contract.ts";
import type { CreateDrill } from "./parameters.ts";
import { drillRecords, selectDrilledTeam, selectReportedAdmins } from "./rows.ts";

/** A drill resolves by itself, whatever became of it. */
const RESOLVES_AFTER_MS = DAY;

/**
 * Starts a fire drill: an alert to the team that escalates as a real one, marked as a drill. Its end
 * is reported to the actor and the account's admins.
 *
 * @param id the ULID of the drill; a repeated one counts once
 * @returns the drill; 404; 429 over the hourly limit; 503
 */
export async function startDrill(
  context: Context<PersonActor>,
  id: string,
  team: Identifier,
  { title, urgency }: CreateDrill,
): Promise<Drill | Refusal> {
  const { env, db, actor } = context;
  const { accountId, accountUserId } = actor;
  const [[found], admins] = await batch(db, [
    selectDrilledTeam(accountId, team),
    selectReportedAdmins(accountId),
  ]);
  if (!found) return notFound("team");
  const exercise = { accountId, alertId: id, kind: "drill", startedById: accountUserId } as const;
  const refusal = await admitExercise(context, { ...exercise, teamId: found.id });
  if (refusal) return refusal;
  const body = {
    title: markTitle(title?.trim() || `Fire drill of ${found.name}`, "drill"),
    description: `This is a fire drill, started by ${actor.name}. Nothing is broken. Acknowledge it as you would a real alert.`,
    urgency: urgency ?? "high",
    tags: ["drill"],
    meta: incidentOf({}),
    thirdparty_id: null,
  };
  const destinations = { teamIds: [found.id], routerIds: [], accountUserIds: [] };
  const reportTo = [...new Set([accountUserId, ...admins.map((admin) => admin.id)])];
  const alert = await createFromDraft(env, {
    ...draftOf(actor, id, body, destinations),
    exercise: "drill",
    drill: { reportTo },
    autoResolveMs: RESOLVES_AFTER_MS,
  });
  if (isRefusal(alert)) return alert;
  const primary = openSession(env.DB, null, true);
  const identifier = { form: "id", value: id } as const;
  return (
    (await first(primary, selectRecord(drillRecords, accountId, identifier))) ?? notFound("alert")
  );
}
