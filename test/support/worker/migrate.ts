import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll } from "vitest";

beforeAll(async () => {
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
});

// The files share a runtime: pending work of one file's objects and queue would delay the next
// file.
afterAll(async () => {
  await reset();
});
