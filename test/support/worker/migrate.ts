import { reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll } from "vitest";

const MOST_RESETS = 5;

const hasTables = async () =>
  (await env.DB.prepare("select 1 from sqlite_master where name = 'accounts'").first()) !== null;

// In one round trip. The tables and rows of the file before are still there if one of its objects wrote to D1 while it was
// reset; in Node, its empty tables always are.
beforeAll(async () => {
  for (let i = 0; i < MOST_RESETS && (await hasTables()); i += 1) await reset();
  if (await hasTables()) return;
  await env.DB.batch(env.TEST_SCHEMA.map((statement) => env.DB.prepare(statement)));
});

// The files share a runtime: pending work of one file's objects and queue would delay the next
// file.
afterAll(async () => {
  await reset();
});
