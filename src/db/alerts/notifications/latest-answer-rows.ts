// The latest answer to an alert, as its timeline has it.
import { sql } from "drizzle-orm";
import { latestAnswer } from "../../../domain/alerts/notifications/close-message.ts";
import type { StoredEntry } from "../../../domain/alerts/stored-alert.ts";
import { alerts } from "../../schema/alerts.ts";
import type { Connection } from "../../shared/database.ts";
import { first, parsed, select } from "../../shared/select.ts";
import { timelineOfAlert } from "../timeline-rows.ts";

/** Reads who answered an alert last, and when (epoch ms); null without an answer. */
export async function readLatestAnswer(db: Connection, accountId: string, alertId: string) {
  const columns = {
    createdAt: alerts.createdAt,
    entries: parsed<readonly StoredEntry[]>(timelineOfAlert),
  };
  const of = sql`${alerts.accountId} = ${accountId} and ${alerts.id} = ${alertId}`;
  const row = await first(db, select(columns, sql`from ${alerts} where ${of}`));
  const answer = row && latestAnswer(row.entries);
  return answer && { text: answer.text, at: row.createdAt + answer.after };
}
