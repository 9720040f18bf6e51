// The fields that Opsgenie clients search and sort alerts by, as SQL over our alerts.
import { type SQL, sql } from "drizzle-orm";
import { referenceIn } from "../../../domain/integrations/opsgenie-identifiers.ts";
import { alerts } from "../../schema/alerts.ts";
import { priority } from "./opsgenie-rows.ts";

export type Comparison = ":" | "=" | "!=" | "<" | ">" | "<=" | ">=";

const SIGNS: Readonly<Record<Comparison, SQL>> = {
  ":": sql.raw("="),
  "=": sql.raw("="),
  "!=": sql.raw("<>"),
  "<": sql.raw("<"),
  ">": sql.raw(">"),
  "<=": sql.raw("<="),
  ">=": sql.raw(">="),
};

const isClosed = sql`${alerts.status} = 'resolved'`;
const isAcknowledged = sql`${alerts.status} = 'acknowledged'`;

/** Sort fields of lists. */
export const SORTED_BY: ReadonlyMap<string, SQL> = new Map(
  Object.entries({
    createdAt: sql`${alerts.createdAt}`,
    updatedAt: sql`${alerts.updatedAt}`,
    lastOccurredAt: sql`${alerts.updatedAt}`,
    tinyId: sql`${alerts.id}`,
    alias: sql`${alerts.thirdpartyId}`,
    message: sql`${alerts.title}`,
    status: isClosed,
    acknowledged: isAcknowledged,
    isSeen: isAcknowledged,
    count: sql`${alerts.dedupCount}`,
    priority,
  }),
);

type Condition = (comparison: Comparison, value: string) => SQL | null;

const orNot = (comparison: Comparison, condition: SQL): SQL | null => {
  if (comparison === "!=") return sql`(not ${condition})`;
  return comparison === ":" || comparison === "=" ? condition : null;
};

/** `:` matches a substring, `=` the whole text; `*` is a wildcard. */
const text =
  (column: SQL, whole = false): Condition =>
  (comparison, value) => {
    const escaped = value.replace(/[\\%_]/g, "\\$&").replaceAll("*", "%");
    const isAnywhere = comparison === ":" && !whole && !value.includes("*");
    const pattern = isAnywhere ? `%${escaped}%` : escaped;
    return orNot(comparison, sql`coalesce(${column}, '') like ${pattern} escape '\\'`);
  };

const truth =
  (condition: SQL): Condition =>
  (comparison, value) => {
    const [yes, no] = [/^true$/i.test(value), /^false$/i.test(value)];
    if (!yes && !no) return null;
    return orNot(comparison, yes ? sql`(${condition})` : sql`(not ${condition})`);
  };

const number =
  (column: SQL): Condition =>
  (comparison, value) =>
    /^\d{1,15}$/.test(value) ? sql`${column} ${SIGNS[comparison]} ${Number(value)}` : null;

/** Epoch milliseconds, or a machine-readable date. */
const instant =
  (column: SQL): Condition =>
  (comparison, value) => {
    const at = /^\d{1,15}$/.test(value) ? Number(value) : Date.parse(value);
    return Number.isFinite(at) ? sql`${column} ${SIGNS[comparison]} ${at}` : null;
  };

const status: Condition = (comparison, value) => {
  if (/^open$/i.test(value)) return orNot(comparison, sql`(not ${isClosed})`);
  if (/^closed$/i.test(value)) return orNot(comparison, sql`(${isClosed})`);
  return /^ack(?:ed|nowledged)$/i.test(value) ? orNot(comparison, sql`(${isAcknowledged})`) : null;
};

const tag: Condition = (comparison, value) =>
  orNot(
    comparison,
    sql`exists (select 1 from json_each(${alerts.tags}) where lower(value) = lower(${value}))`,
  );

const level: Condition = (comparison, value) => {
  if (!/^P[1-5]$/i.test(value)) return null;
  // P1 is the highest priority but sorts lowest.
  return sql`${priority} ${SIGNS[comparison]} ${value.toUpperCase()}`;
};

const identifier =
  (type: string): Condition =>
  (comparison, value) => {
    const reference = referenceIn(value, type);
    if (reference === null || reference.by === "request") return orNot(comparison, sql`(0)`);
    const first = reference.by === "alert" ? reference.id : reference.prefix;
    return orNot(comparison, sql`(${alerts.id} between ${first} and ${first.padEnd(26, "Z")})`);
  };

const FIELDS: ReadonlyMap<string, Condition> = new Map(
  Object.entries({
    id: identifier("id"),
    alertid: identifier("id"),
    tinyid: identifier("tiny"),
    alias: text(sql`${alerts.thirdpartyId}`, true),
    message: text(sql`${alerts.title}`),
    description: text(sql`${alerts.description}`),
    status,
    acknowledged: truth(isAcknowledged),
    isseen: truth(isAcknowledged),
    seen: truth(isAcknowledged),
    snoozed: truth(sql`0`),
    priority: level,
    tag,
    tags: tag,
    count: number(sql`(${alerts.dedupCount} + 1)`),
    createdat: instant(sql`${alerts.createdAt}`),
    updatedat: instant(sql`${alerts.updatedAt}`),
    lastoccurredat: instant(sql`${alerts.updatedAt}`),
  }),
);

/** Builds the condition on a field, or on message and alias without one; or names the fault. */
export function alertCondition(
  field: string | null,
  comparison: Comparison,
  value: string,
): SQL | { readonly fault: string } {
  if (field === null) {
    return sql`(${text(sql`${alerts.title}`)(":", value)} or
      ${text(sql`${alerts.thirdpartyId}`)(":", value)})`;
  }
  const condition = FIELDS.get(field.toLowerCase());
  if (condition === undefined) return { fault: `knows no field ${field.slice(0, 100)}` };
  return condition(comparison, value) ?? { fault: `cannot compare ${field} like that` };
}
