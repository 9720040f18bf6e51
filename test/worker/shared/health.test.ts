// `GET /health`, for monitors and for `npm run deploy`.
import { env, exports } from "cloudflare:workers";
import { expect, test, vi } from "vitest";

test("answers with the version and reads no storage", async () => {
  const database = vi.spyOn(Object.getPrototypeOf(env.DB), "prepare");
  const response = await exports.default.fetch("https://tocsin.test/health");
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ status: "ok", version: expect.any(String) });
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  expect(database).not.toHaveBeenCalled();
});
