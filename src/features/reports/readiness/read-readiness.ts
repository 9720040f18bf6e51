import { type StandbyProblem, standbyProblem } from "../../../domain/operations/standby-drill.ts";
import { SETUP_STEPS } from "../../../domain/reports/readiness.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import { first } from "../../../kernel/db/select.ts";
import { integrationTypes } from "../../../products/registry.ts";
import type { Context } from "../../change/context.ts";
import { findUncovered } from "../../oncall/notices/find-uncovered.ts";
import { standbyObject } from "../../stubs.ts";
import type { Readiness } from "./contract.ts";
import { selectReadiness } from "./rows.ts";

/** Accounts whose setup is known to be complete, which it stays: nobody on call is looked for. */
const complete = new Set<string>();
const MAX_ACCOUNTS = 1_000;

const SENDER_TYPES = integrationTypes.flatMap(({ name, outgoing }) => (outgoing ? [] : [name]));

/**
 * Reads how far the account's setup is. It is complete once a page of a team's alert or drill was
 * answered by somebody who was notified; that is stored when it happens, so that no step is looked
 * for later.
 */
export async function readReadiness({
  db,
  env,
  actor,
  now,
}: Pick<Context, "db" | "env" | "actor" | "now">): Promise<Readiness> {
  const { accountId } = actor;
  const [row, { onCall }, standby] = await Promise.all([
    first(db, selectReadiness(accountId, SENDER_TYPES)),
    complete.has(accountId) ? { onCall: 0 } : findUncovered(db, accountId, now),
    readStandbyProblem(env, accountId, now),
  ]);
  if (row === null) throw new Error("the account is gone");
  const { digest, integrationsById, bareIdIntegrations, pageAnsweredAt, ...steps } = row;
  const isReady = pageAnsweredAt !== null;
  if (isReady) {
    if (complete.size >= MAX_ACCOUNTS) complete.clear();
    complete.add(accountId);
  }
  const done = { ...steps, on_call: isReady || onCall > 0, answer: isReady };
  return {
    ready: isReady,
    page_answered_at: isReady ? formatInstant(pageAnsweredAt) : null,
    steps: SETUP_STEPS.map((step) => ({ step, done: done[step] })),
    standby_problem: isReady ? standby : null,
    weekly_digest: digest,
    integrations_by_id: integrationsById,
    bare_id_integration_ids: bareIdIntegrations,
  };
}

/** What the drills through the standby do not prove; null without one. `now` in epoch ms. */
export async function readStandbyProblem(
  env: Cloudflare.Env,
  accountId: string,
  now: number,
): Promise<StandbyProblem | null> {
  if (!env.STANDBY_URL || env.STANDBY_OF) return null;
  const report = await standbyObject(env)
    .report()
    .catch(() => null);
  return report && standbyProblem(report.standbys, accountId, now);
}
