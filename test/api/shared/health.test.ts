// `GET /health`, for monitors and for `npm run deploy`.
import { exports } from "cloudflare:workers";
import { expect, test } from "vitest";

test("answers with the version, and is not stored by caches", async () => {
  const response = await exports.default.fetch("https://tocsin.test/health");
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ status: "ok", version: expect.any(String) });
  expect(response.headers.get("Cache-Control")).toBe("no-store");
});
