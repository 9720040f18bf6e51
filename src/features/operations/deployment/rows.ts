// The names of the account's records that break an invariant.
import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { idRangeOf } from "../../../domain/shared/identifiers.ts";
import { type Select, select } from "../../../kernel/db/select.ts";
import { alerts } from "../../schema/alerts.ts";
import { integrations } from "../../schema/integrations.ts";
import { broadcasts } from "../../schema/messages.ts";
import { teams } from "../../schema/oncall.ts";
import type { BreakingRecord } from "./contract.ts";

type Named = SQLiteTable & Record<"accountId" | "prefixId", SQLiteColumn>;

const TABLES: Readonly<Record<BreakingRecord["kind"], readonly [Named, SQLiteColumn]>> = {
  alert: [alerts, alerts.title],
  integration: [integrations, integrations.name],
  broadcast: [broadcasts, broadcasts.title],
  team: [teams, teams.name],
};

/** Selects those of the records that belong to an account, with their names. */
export function selectOwn(
  accountId: string,
  kind: BreakingRecord["kind"],
  prefixIds: readonly string[],
): Select<{ readonly prefixId: string; readonly name: string }> {
  const [table, name] = TABLES[kind];
  const ranges = prefixIds.map((prefixId) => [prefixId, idRangeOf(prefixId)] as const);
  const given = JSON.stringify(
    ranges.map(([prefixId, range]) => [prefixId, range?.from, range?.to]),
  );
  const inMinute: SQL =
    kind === "alert"
      ? sql`and ${alerts.id} >= named.value ->> 1 and ${alerts.id} < named.value ->> 2`
      : sql``;
  return select(
    { prefixId: sql<string>`${table.prefixId}`, name: sql<string>`${name}` },
    sql`from json_each(${given}) as named cross join ${table}
      on ${table.accountId} = ${accountId} ${inMinute} and ${table.prefixId} = named.value ->> 0`,
  );
}
