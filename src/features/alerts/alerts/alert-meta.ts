// The `meta` of alerts: most have only the fields of an incident that is none, which are not stored.
import { type SQL, sql } from "drizzle-orm";
import type { Alert } from "../../../domain/alerts/alert.ts";
import { alerts } from "../../schema/alerts.ts";

const NO_INCIDENT = JSON.stringify({
  incident: false,
  incident_severity: null,
  incident_message: null,
} satisfies Alert["meta"]);

/** A `meta` as it is stored; JSON. */
export const storedMeta = (meta: string): string => (meta === NO_INCIDENT ? "{}" : meta);

/** The whole `meta`; JSON. */
export const alertMeta: SQL<Record<string, unknown>> = sql`iif(${alerts.meta} = '{}',
  ${sql.raw(`'${NO_INCIDENT}'`)}, ${alerts.meta})`;
