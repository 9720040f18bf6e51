// Reads all stored data: every table of the database and every object's storage. Tables and classes
// that are added later are included.
import { listDurableObjectIds, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";

/** Reads all of one object: its tables' rows and its keys' values. */
export function readStorage(storage: DurableObjectStorage): string {
  const tables = storage.sql
    .exec<{ name: string }>("select name from sqlite_master where type = 'table'")
    .toArray()
    .filter(({ name }) => !name.startsWith("_cf_") && !name.startsWith("sqlite_"));
  const rows = tables.map(({ name }) => [
    name,
    storage.sql.exec(`select * from "${name}"`).toArray(),
  ]);
  return JSON.stringify([rows, [...storage.kv.list()]]);
}

const readObject = (stub: DurableObjectStub) =>
  runInDurableObject(stub, (_, { storage }) => readStorage(storage));

/** The places where one of these texts is stored, case-insensitive. */
export async function findStoredTexts(texts: readonly string[]): Promise<string[]> {
  const needles = texts.map((text) => text.toLowerCase());
  const found: string[] = [];
  const search = (place: string, text: string) => {
    const folded = text.toLowerCase();
    const at = Math.max(-1, ...needles.map((it) => folded.indexOf(it)));
    if (at === -1) return;
    found.push(`${place}: …${text.slice(Math.max(0, at - 80), at + 80)}…`);
  };
  const { results: tables } = await env.DB.prepare(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '_cf_%'",
  ).all<{ name: string }>();
  const stored = await env.DB.batch(
    tables.map(({ name }) => env.DB.prepare(`select * from "${name}"`)),
  );
  for (const [i, { name }] of tables.entries()) {
    for (const row of stored[i]?.results ?? []) search(`table ${name}`, JSON.stringify(row));
  }
  for (const [binding, namespace] of Object.entries(env)) {
    if (!Object.prototype.toString.call(namespace).includes("DurableObjectNamespace")) continue;
    const objects = namespace as DurableObjectNamespace;
    for (const id of await listDurableObjectIds(objects)) {
      search(`object ${binding}`, await readObject(objects.get(id)));
    }
  }
  return found;
}
