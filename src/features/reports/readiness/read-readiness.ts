import { SETUP_STEPS } from "../../../domain/reports/readiness.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import { openSession, statement } from "../../../kernel/db/database.ts";
import { first } from "../../../kernel/db/select.ts";
import { integrationTypes } from "../../../products/registry.ts";
import type { Context } from "../../change/context.ts";
import { findUncovered } from "../../oncall/notices/find-uncovered.ts";
import type { Readiness } from "./contract.ts";
import { completeSetup, selectReadiness } from "./rows.ts";

/** Accounts whose setup is known to be complete, which it stays: nobody on call is looked for. */
const complete = new Set<string>();
const MAX_ACCOUNTS = 1_000;

const SENDER_TYPES = integrationTypes.flatMap(({ name, outgoing }) => (outgoing ? [] : [name]));

/**
 * Reads how far the account's setup is. It is complete once a page of a team's alert or drill was
 * answered by somebody who was notified; that is stored, so that no step is looked for later.
 */
export async function readReadiness({
  env,
  db,
  actor,
  now,
  waitUntil,
}: Pick<Context, "env" | "db" | "actor" | "now" | "waitUntil">): Promise<Readiness> {
  const { accountId } = actor;
  const [row, { onCall }] = await Promise.all([
    first(db, selectReadiness(accountId, SENDER_TYPES)),
    complete.has(accountId) ? { onCall: 0 } : findUncovered(db, accountId, now),
  ]);
  if (row === null) throw new Error("the account is gone");
  const { digest, integrationsById, bareIdIntegrations, pageAnsweredAt, ...steps } = row;
  const answeredAt = pageAnsweredAt ?? (steps.answer ? now : null);
  if (answeredAt !== pageAnsweredAt) {
    const primary = openSession(env.DB, null, true);
    waitUntil(statement(primary, completeSetup(accountId, now)).run());
  }
  if (pageAnsweredAt !== null) {
    if (complete.size >= MAX_ACCOUNTS) complete.clear();
    complete.add(accountId);
  }
  const done = { ...steps, on_call: pageAnsweredAt !== null || onCall > 0 };
  return {
    ready: answeredAt !== null,
    page_answered_at: answeredAt === null ? null : formatInstant(answeredAt),
    steps: SETUP_STEPS.map((step) => ({ step, done: answeredAt !== null || done[step] })),
    weekly_digest: digest,
    integrations_by_id: integrationsById,
    bare_id_integration_ids: bareIdIntegrations,
  };
}
