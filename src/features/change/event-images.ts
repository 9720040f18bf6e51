// Images of events: their rows with their people, rosters, exceptions and schedules, taken by SQL
// within a transaction, so that they are exact whatever a verb did.
import { type Column, getTableColumns, is, SQL, type SQLWrapper, sql } from "drizzle-orm";
import { parsed, type RowOf, select } from "../../kernel/db/select.ts";
import { events } from "../schema/oncall.ts";
import { onCallColumns, schedulesOfEvent } from "./event-columns.ts";

const { accountId: _, updatedAt: __, ...columns } = getTableColumns(events);

/** What an image has of an event: all that a write may change, except `updated_at`. */
const imageColumns = {
  ...columns,
  ...onCallColumns(Number.MIN_SAFE_INTEGER),
  scheduleIds: parsed<readonly string[]>(schedulesOfEvent),
};

/** An event of an image. */
export type EventImage = RowOf<typeof imageColumns>;

/** The columns of the events' table that an image has, by name. */
export const storedColumns: Readonly<Record<string, Column>> = columns;

/** Functions take at most 32 arguments. */
const PAIRS = 15;

/** A JSON object of columns and expressions. What is null is left out. */
export function jsonObject(list: Readonly<Record<string, SQLWrapper>>): SQL {
  const pairs = Object.entries(list).map(([name, value]) => {
    // Without a subtype JSON is stored as text, as in its column.
    const text = is(value, SQL) ? sql`(${value} || '')` : value;
    return sql`${sql.raw(`'${name}'`)}, ${text}`;
  });
  const chunks = Array.from({ length: Math.ceil(pairs.length / PAIRS) }, (_chunk, at) => {
    const own = pairs.slice(at * PAIRS, (at + 1) * PAIRS);
    return sql`json_object(${sql.join(own, sql`, `)})`;
  });
  if (chunks.length === 0) return sql`json_object()`;
  return chunks.reduce((one, other) => sql`json_patch(${one}, ${other})`);
}

/**
 * The images of some events as a JSON object by event id.
 *
 * @param ids a select of event ids
 */
export const imageOfEvents = (accountId: string, ids: SQL): SQL =>
  sql`(select json_group_object(${events.id}, ${jsonObject(imageColumns)}) from ${events}
    where ${events.accountId} = ${accountId} and ${events.id} in (${ids}))`;

const { toRow } = select(imageColumns, sql``);

/** Reads stored images. Those of earlier versions say neither `skipChanges` nor `seriesId`. */
export function readImages(image: string | null): readonly EventImage[] {
  if (image === null) return [];
  const rows = JSON.parse(image) as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  const rootOf = (id: string): string => {
    const parentId = rows[id]?.parentId;
    return typeof parentId === "string" ? rootOf(parentId) : id;
  };
  return Object.entries(rows).map(([id, row]) =>
    toRow({
      skipChanges: row.skipUnavailable ? "[0]" : "[]",
      seriesId: rootOf(id),
      ...row,
    }),
  );
}
