// What a backup contains of the database: every table and column of the schema, but for what is said
// here. A row's columns are in the order in which the schema declares them; `backupLayout` tells backups of
// another order apart.
import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as kernelTables from "../../../kernel/db/tables.ts";
import * as absences from "../../schema/absences.ts";
import * as alertLists from "../../schema/alert-lists.ts";
import * as alerts from "../../schema/alerts.ts";
import * as bookkeeping from "../../schema/bookkeeping.ts";
import * as calendarFeeds from "../../schema/calendar-feeds.ts";
import * as calendarImports from "../../schema/calendar-imports.ts";
import * as changes from "../../schema/changes.ts";
import * as companyHolidays from "../../schema/company-holidays.ts";
import * as formerAbsences from "../../schema/former-absences.ts";
import * as integrations from "../../schema/integrations.ts";
import * as invitations from "../../schema/invitations.ts";
import * as messages from "../../schema/messages.ts";
import * as oncall from "../../schema/oncall.ts";
import * as pastEvents from "../../schema/past-events.ts";
import * as people from "../../schema/people.ts";
import * as removedMembers from "../../schema/removed-members.ts";
import * as sessions from "../../schema/sessions.ts";

/** A file of the schema that is missing here fails a test. */
const SCHEMA: readonly Readonly<Record<string, unknown>>[] = [
  ...[absences, alertLists, alerts, kernelTables, bookkeeping, calendarFeeds, calendarImports],
  ...[
    changes,
    companyHolidays,
    formerAbsences,
    integrations,
    invitations,
    messages,
    oncall,
    pastEvents,
  ],
  ...[people, removedMembers, sessions],
];

/**
 * Tables of limits, sessions and caches: a restored deployment begins with empty ones. People sign
 * in again.
 */
export const NOT_BACKED_UP: readonly string[] = [
  "chat_requests",
  "daily_use",
  "database_size",
  "email_link_sends",
  "idempotency_keys",
  "invitation_sends",
  "phone_code_sends",
  "sessions",
  "sign_in_attempts",
  "watched_accounts",
];

/**
 * Stored apart, encrypted: credentials, and whatever opens something to who has it. Backups have
 * them in this order.
 */
const SECRET_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  absence_calendars: ["url"],
  api_keys: ["key_hash"],
  calendar_feeds: ["secret_hash"],
  calendar_imports: ["url"],
  channel_addresses: ["settings", "code_hash"],
  // Options may have the URL of a third party's webhook, which is a credential.
  integrations: ["options", "intake_key", "secrets"],
  push_subscriptions: ["endpoint", "p256dh", "auth"],
  user_phones: ["code_hash"],
  users: ["password_hash"],
};

/** Of tables whose primary key is a row id: the unique columns that order and identify their rows. */
const KEYS: Readonly<Record<string, readonly string[]>> = { alerts: ["account_id", "id"] };

export type BackupTable = {
  readonly name: string;
  /** The columns that order its rows, and identify them. */
  readonly key: readonly string[];
  readonly plain: readonly string[];
  readonly secret: readonly string[];
  /** The tables that its columns refer to by `id`. */
  readonly parents: Readonly<Record<string, string>>;
};

const namesOf = (columns: readonly { readonly name: string }[]) => columns.map(({ name }) => name);

function backupTable(table: SQLiteTable): BackupTable {
  const { name, columns, primaryKeys, foreignKeys } = getTableConfig(table);
  const primary = primaryKeys[0]?.columns ?? columns.filter((column) => column.primary);
  const secret = SECRET_COLUMNS[name] ?? [];
  const stored = namesOf(columns.filter(({ generated }) => !generated));
  const parents = foreignKeys.map((foreignKey) => {
    const { columns: referring, foreignTable } = foreignKey.reference();
    return [referring[0]?.name ?? "", getTableConfig(foreignTable).name] as const;
  });
  return {
    name,
    key: KEYS[name] ?? namesOf(primary),
    plain: stored.filter((column) => !secret.includes(column)),
    secret,
    parents: Object.fromEntries(parents),
  };
}

/** The tables by name, each after its parents. */
function parentsFirst(unordered: readonly BackupTable[]): readonly BackupTable[] {
  const tables = unordered.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const placed = new Set<BackupTable>();
  const place = (table: BackupTable) => {
    for (const parent of Object.values(table.parents)) {
      const found = tables.find(({ name }) => name === parent);
      if (found !== undefined && found !== table && !placed.has(found)) place(found);
    }
    placed.add(table);
  };
  for (const table of tables) place(table);
  return [...placed];
}

const deriveTables = (): readonly BackupTable[] =>
  parentsFirst(
    SCHEMA.flatMap((file) => Object.values(file))
      .filter((it) => is(it, SQLiteTable))
      .map(backupTable)
      .filter(({ name }) => !NOT_BACKED_UP.includes(name)),
  );

let tables: readonly BackupTable[] | undefined;

/** All tables of a backup, in its order. Derived when they are first asked for: few workers are. */
export function backupTables(): readonly BackupTable[] {
  tables ??= deriveTables();
  return tables;
}
