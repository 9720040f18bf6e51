// Planned notifications of pages that no alert has sent, and what their statements cost in D1.
import { env } from "cloudflare:workers";
import type { SQLWrapper } from "drizzle-orm";
import { vi } from "vitest";
import { EMPTY_RULE_VIEW } from "../../../src/domain/notifications/page.ts";
import {
  claimPlanned,
  type PlannedNotification,
} from "../../../src/features/notifications/notifications/rows.ts";
import { statement } from "../../../src/kernel/db/database.ts";
import { newId } from "../../../src/kernel/db/identifiers.ts";
import { all } from "../../../src/kernel/db/select.ts";

export type Recipient = { readonly accountId: string; readonly accountUserId: string };

/** A mail to a person about an alert of its own, planned at an instant (epoch ms). */
export function plannedMail(
  { accountId, accountUserId }: Recipient,
  at: number,
  more: Partial<PlannedNotification> = {},
): PlannedNotification {
  const alertId = newId(at);
  const content = { title: "Disk full", description: null, urgency: "high" } as const;
  return {
    id: newId(at),
    message: {
      accountId,
      page: {
        ...{ effectId: `${alertId}:0`, event: "alert.open", accountUserId, workflowId: newId(at) },
        ...{ layer: 1, pass: 1, at, until: null, detail: null },
      },
      alert: { ...content, id: alertId, version: 1, createdAt: at, destinationName: "Payments" },
      ...{ notice: null, stage: 0, view: EMPTY_RULE_VIEW },
    },
    ...{ stage: 0, channel: "email", to: "ada@example.com", status: "queued", reason: null },
    ...{ aside: null, ...more },
  };
}

/** Plans these in one statement; returns whether each was claimed. */
export async function claimMails(
  planned: readonly PlannedNotification[],
  most: number,
  now: number,
): Promise<boolean[]> {
  const written = await all(env.DB, claimPlanned(planned, most, now));
  return planned.map(({ id }) => written.some((it) => it.id === id && it.isClaimed));
}

/** Runs a statement and returns the number of rows that D1 read. */
export async function rowsReadBy(query: SQLWrapper): Promise<number> {
  const { meta } = await statement(env.DB, query).all();
  return meta.rows_read;
}

/**
 * Adds up the rows that statements read and write in D1, from now until the mocks are restored.
 *
 * @param accountId counts all statements on this account; without it, those on notifications
 */
export function countRows(accountId?: string): { read: number; written: number } {
  const count = { read: 0, written: 0 };
  const add = (query: unknown, { meta }: D1Result) => {
    const { statement: text, params } = query as { statement: string; params: readonly unknown[] };
    const counts = accountId
      ? JSON.stringify(params).includes(accountId)
      : /\bnotifications\b/.test(text);
    if (!counts) return;
    count.read += meta.rows_read;
    count.written += meta.rows_written;
  };
  const session = Object.getPrototypeOf(env.DB.withSession());
  const batch = session.batch as (queries: unknown[]) => Promise<D1Result[]>;
  vi.spyOn(session, "batch").mockImplementation(async function (this: unknown, ...given) {
    const queries = given[0] as unknown[];
    const results = await batch.call(this, queries);
    for (const [i, result] of results.entries()) add(queries[i], result);
    return results;
  });
  const prepared = Object.getPrototypeOf(env.DB.prepare("select 1"));
  for (const name of ["all", "run"]) {
    const query = prepared[name] as () => Promise<D1Result>;
    vi.spyOn(prepared, name).mockImplementation(async function (this: unknown) {
      const result = await query.call(this);
      add(this, result);
      return result;
    });
  }
  return count;
}
