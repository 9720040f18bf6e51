// What a standby and its primary say to each other, and what `npm run standby` asks: authorized by the token that
// is derived from the secret `BACKUP_KEY`, which both have.
import type { Context } from "hono";
import type { StandbyCard } from "../../../domain/operations/standby-drill.ts";
import { isJsonObject, parseJson } from "../../../domain/shared/json.ts";
import { isRefusal, refuse } from "../../../domain/shared/refusal.ts";
import { all } from "../../../kernel/db/select.ts";
import { respond } from "../../../kernel/http/answers.ts";
import type { Environment } from "../../../kernel/http/serve.ts";
import { selectDrilledAccounts } from "../../alerts/drills/rows.ts";
import type { StandbyReport } from "../../rpc.ts";
import { integrationInbox, standbyObject } from "../../stubs.ts";
import { authorize } from "../backup/serve-backup.ts";
import { giveAnswers, type StandbyAnswer } from "./answers.ts";
import { type SentEvent, toHeld } from "./held-events.ts";
import { readSnapshot, type SnapshotAnswer, type SnapshotRequest } from "./snapshot.ts";

const UNKNOWN = refuse("not_found", "no such endpoint");
const MALFORMED = refuse("malformed", "the body is no question of a standby");

/** `card`: what a standby says of itself that has taken over, since it pulls no snapshot then. */
type EventsQuestion = { readonly events: readonly SentEvent[]; readonly card?: StandbyCard | null };

/** What `GET /standby` answers. */
export type ServedReport = StandbyReport & {
  /** The address of its primary; null: it is no standby. */
  readonly of: string | null;
};

/** Serves `GET /standby`: what the standby is and knows. */
export async function serveStandby(context: Context<Environment>): Promise<Response> {
  const keys = await authorize(context);
  if (isRefusal(keys)) return respond(keys, context.get("requestId"));
  const { env } = context;
  const report = await standbyObject(env).report();
  return Response.json({ ...report, of: env.STANDBY_OF || null } satisfies ServedReport);
}

/**
 * Serves `POST /standby/<step>`: at a primary `snapshot`, `events` and `answers`, at a standby `take-over` and
 * `stand-down`.
 */
export async function serveStandbyStep(context: Context<Environment>): Promise<Response> {
  const { env, req, executionCtx } = context;
  const requestId = context.get("requestId");
  const keys = await authorize(context);
  if (isRefusal(keys)) return respond(keys, requestId);
  const step = req.param("step");
  const isOrder = step === "take-over" || step === "stand-down";
  if (isOrder !== Boolean(env.STANDBY_OF)) return respond(UNKNOWN, requestId);
  if (isOrder) {
    const reason = await standbyObject(env).command(step === "take-over" ? "active" : "silent");
    return reason === null ? Response.json({}) : respond(refuse("conflict", reason), requestId);
  }
  const body = parseJson(await req.text());
  if (!isJsonObject(body)) return respond(MALFORMED, requestId);
  if (step === "snapshot") {
    const { card, ...request } = body as SnapshotRequest;
    // A standby of another version does not say what it is.
    if (!isJsonObject(card)) return respond(MALFORMED, requestId);
    const answer = await readSnapshot(env, keys, request);
    if (answer.next !== null) return Response.json(answer);
    const accounts = await all(env.DB, selectDrilledAccounts);
    const due = await standbyObject(env).pulled(card, accounts, Date.now());
    return Response.json({ ...answer, due } satisfies SnapshotAnswer);
  }
  if (step === "events") {
    // A primary that has no database takes none, and says so.
    await env.DB.prepare("select 1").first();
    const { events: sent, card } = body as EventsQuestion;
    const events = sent.map(toHeld);
    const groups = [...Map.groupBy(events, ({ name }) => name)];
    const settled = groups.map(([name, held]) => integrationInbox(env, name).settle(held));
    if (card) await standbyObject(env).seen(card, Date.now());
    return Response.json({ settled: (await Promise.all(settled)).flat() });
  }
  if (step !== "answers") return respond(UNKNOWN, requestId);
  const { answers } = body as { answers: StandbyAnswer[] };
  const later = (work: Promise<unknown>) => executionCtx.waitUntil(work);
  return Response.json({ done: await giveAnswers(env, answers, Date.now(), later) });
}
