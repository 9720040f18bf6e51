// The tables that the files of the schema declare.
import { globSync } from "node:fs";
import { join } from "node:path";
import { is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { root } from "./source-files.ts";

/** All of them, without the views. */
export async function readSchemaTables(): Promise<readonly SQLiteTable[]> {
  const files = globSync(
    ["src/features/schema/**/*.ts", "src/kernel/db/tables.ts"].map((pattern) =>
      join(root, pattern).replaceAll("\\", "/"),
    ),
  );
  const own = files.filter((file) => !/[\\/]views[\\/]/.test(file));
  const modules = await Promise.all(
    own.map((file) => import(file) as Promise<Record<string, unknown>>),
  );
  return modules.flatMap((it) => Object.values(it)).filter((it) => is(it, SQLiteTable));
}
