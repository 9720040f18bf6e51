// What a backup contains of the database, in the order in which it is written and restored: parents
// before their children. Every column of the schema is plain, secret or generated; a test fails for
// one that is none of these.
import { CONFIGURATION_TABLES } from "./configuration-tables.ts";
import { HISTORY_TABLES } from "./history-tables.ts";
import type { TableDeclaration } from "./table-declaration.ts";

export type BackupTable = {
  readonly name: string;
  readonly key: readonly string[];
  readonly plain: readonly string[];
  readonly secret: readonly string[];
  readonly parents: Readonly<Record<string, string>>;
};

/**
 * Tables of limits, sessions and caches: a restored deployment begins with empty ones. People sign
 * in again.
 */
export const NOT_BACKED_UP: readonly string[] = [
  "chat_requests",
  "database_size",
  "email_link_sends",
  "idempotency_keys",
  "invitation_sends",
  "phone_code_sends",
  "sessions",
  "sign_in_attempts",
  "watched_accounts",
];

const words = (text: string) => text.split(" ").filter((word) => word !== "");

const tableOf = ({ name, key, plain, secret = "", parents = {} }: TableDeclaration) => ({
  ...{ name, parents },
  ...{ key: words(key), plain: words(plain), secret: words(secret) },
});

/** All tables of a backup, in its order. */
export const BACKUP_TABLES: readonly BackupTable[] = [
  ...CONFIGURATION_TABLES,
  ...HISTORY_TABLES,
].map(tableOf);
