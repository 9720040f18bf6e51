// Measures what a local database occupies, by table and index, on a copy of its files.
import { copyFileSync, existsSync, globSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** The pages of each table and index, and the bytes of rows in them. */
export type TreeSizes = ReadonlyMap<string, { readonly bytes: number; readonly payload: number }>;

/** The size of each table and index of the worker's D1, whose writes must have settled. */
export const readTreeSizes = (state: string): TreeSizes => onCopy(findDatabase(state), treeSizesOf);

/** The size of each table and index of an open database. */
export function treeSizesOf(database: DatabaseSync): TreeSizes {
  const rows = database
    .prepare("select name, sum(pgsize) as bytes, sum(payload) as payload from dbstat group by 1")
    .all();
  return new Map(
    rows.map(({ name, bytes, payload }) => [
      String(name),
      { bytes: Number(bytes), payload: Number(payload) },
    ]),
  );
}

/** The path of the D1 file below the state directory. */
export function findDatabase(state: string): string {
  const files = globSync(join(state, "v3/d1/*/*.sqlite"));
  const [largest] = files.sort((a, b) => statSync(b).size - statSync(a).size);
  if (largest === undefined) throw new Error(`no database below ${state}`);
  return largest;
}

export type ObjectSizes = {
  readonly objects: number;
  /** The number of those that are not empty. */
  readonly stored: number;
  readonly bytes: number;
};

/** What the objects of a class store. */
export function readObjectSizes(state: string, className: string): ObjectSizes {
  const files = globSync(join(state, `v3/do/*${className}/*.sqlite`));
  const sizes = files
    .filter((path) => !path.endsWith("metadata.sqlite"))
    .map((path) => onCopy(path, sizeOfObject));
  return {
    objects: sizes.length,
    stored: sizes.filter((bytes) => bytes > 0).length,
    bytes: sizes.reduce((sum, bytes) => sum + bytes, 0),
  };
}

/** Tables of the runtime and of the local simulator, which every object has. */
const FOREIGN_TABLE = /^(_cf_|__miniflare_|sqlite_)/;

/** The bytes of an object's database; 0 if the object has neither a table nor a key. */
function sizeOfObject(database: DatabaseSync): number {
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
  const names = tables.map(({ name }) => String(name));
  const hasKeys = () => database.prepare("select 1 from _cf_KV limit 1").get() !== undefined;
  const isStored =
    names.some((name) => !FOREIGN_TABLE.test(name)) || (names.includes("_cf_KV") && hasKeys());
  if (!isStored) return 0;
  const pages = database.prepare("pragma page_count").get();
  const size = database.prepare("pragma page_size").get();
  return Number(pages?.page_count) * Number(size?.page_size);
}

/** Reads a copy of a database that a worker has open, whose writes must have settled. */
export function onCopy<Result>(path: string, read: (database: DatabaseSync) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  try {
    const copy = join(folder, "copy.sqlite");
    for (const suffix of ["", "-wal"]) {
      if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix);
    }
    using database = new DatabaseSync(copy);
    return read(database);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
