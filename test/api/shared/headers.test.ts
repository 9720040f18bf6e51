// Headers of every answer: nothing that may show a secret is stored by a cache, and no type is guessed.
import { exports } from "cloudflare:workers";
import { expect, test } from "vitest";
import { makeAccount } from "../../support/api/api.ts";

test("every kind of answer is stored by no cache, and has the type that it says", async () => {
  const account = await makeAccount();
  const headers = { Authorization: `Bearer ${account.key}`, "Content-Type": "application/json" };
  const asked = (path: string, init: RequestInit = {}) =>
    exports.default.fetch(`https://tocsin.test${path}`, { headers, redirect: "manual", ...init });
  const body = JSON.stringify({ name: "another key" });
  const answers = await Promise.all([
    asked("/api/v4/alerts"),
    asked("/api/v4/api_keys", { method: "POST", body }),
    asked("/api/v4/nothing"),
    asked("/health"),
    asked("/sign-in", { headers: { Accept: "text/html" } }),
    asked("/a/no-such-token"),
    asked("/integration/none", { method: "POST", body: "{}" }),
    asked("/feeds/none.ics"),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 201, 404, 200, 200, 404, 404, 404]);
  for (const response of answers) {
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
  }
});
