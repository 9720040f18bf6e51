import { reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll } from "vitest";

// In one round trip: `applyD1Migrations` takes one for each statement. The tables of the file before
// are still there if one of its objects wrote to D1 while it was reset.
beforeAll(async () => {
  const made = await env.DB.prepare("select 1 from sqlite_master where name = 'accounts'").first();
  if (made !== null) return;
  const queries = env.TEST_MIGRATIONS.flatMap((migration) => migration.queries);
  await env.DB.batch(queries.map((query) => env.DB.prepare(query)));
});

// The files share a runtime: pending work of one file's objects and queue would delay the next
// file.
afterAll(async () => {
  await reset();
});
