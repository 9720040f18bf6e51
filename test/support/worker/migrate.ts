import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll } from "vitest";

beforeAll(async () => {
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
});

// The files share a runtime: what a file's objects and queue still have to do would keep the next file's waiting.
afterAll(async () => {
  await reset();
});
