// Columns that every record has, and helpers for common column types. Instants are epoch
// milliseconds; lists and hashes are JSON text.
import { integer, text } from "drizzle-orm/sqlite-core";

/** An instant in epoch milliseconds. */
export const instant = <Name extends string>(name: Name) => integer(name);

/** A boolean stored as 0 or 1. */
export const flag = <Name extends string>(name: Name) => integer(name, { mode: "boolean" });

/** A JSON list of strings, `[]` when empty. */
export const stringList = <Name extends string>(name: Name) =>
  text(name, { mode: "json" }).$type<readonly string[]>().notNull().default([]);

/** A JSON object, `{}` when empty. */
export const hash = <Name extends string>(name: Name) =>
  text(name, { mode: "json" }).$type<Record<string, unknown>>().notNull().default({});

/** `id`, `prefix_id`, `created_at`, `updated_at`: the columns of every record. */
export const identity = () => ({
  id: text("id").primaryKey(),
  prefixId: text("prefix_id").notNull(),
  createdAt: instant("created_at").notNull(),
  updatedAt: instant("updated_at").notNull(),
});

/** The common attributes of a record that belongs to an account (contract 1, Records). */
export const common = () => ({
  ...identity(),
  accountId: text("account_id").notNull(),
  meta: hash("meta"),
});
