// What decides whether an alert may be merged into another one.
import { sql } from "drizzle-orm";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { identified } from "../../../kernel/db/identified.ts";
import { type RowOf, select } from "../../../kernel/db/select.ts";
import { alerts } from "../../schema/alerts.ts";

const columns = {
  id: alerts.id,
  title: alerts.title,
  status: alerts.status,
  mergedIntoId: alerts.mergedIntoId,
};
export type MergeableAlert = RowOf<typeof columns>;

/** Selects an alert: one row or none; none for what is no identifier. */
export const selectMergeable = (accountId: string, identifier: Identifier | null) => {
  const isNamed = identifier === null ? sql`0` : identified(alerts, identifier);
  return select(
    columns,
    sql`from ${alerts} where ${alerts.accountId} = ${accountId} and ${isNamed}`,
  );
};
