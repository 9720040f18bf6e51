import { reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll } from "vitest";

const MOST_RESETS = 5;

const hasTables = async () =>
  (await env.DB.prepare("select 1 from sqlite_master where name = 'accounts'").first()) !== null;

// In one round trip: `applyD1Migrations` takes one for each statement. The tables and rows of the
// file before are still there if one of its objects wrote to D1 while it was reset.
beforeAll(async () => {
  for (let i = 0; i < MOST_RESETS && (await hasTables()); i += 1) await reset();
  if (await hasTables()) return;
  const queries = env.TEST_MIGRATIONS.flatMap((migration) => migration.queries);
  await env.DB.batch(queries.map((query) => env.DB.prepare(query)));
});

// The files share a runtime: pending work of one file's objects and queue would delay the next
// file.
afterAll(async () => {
  await reset();
});
