// A deployment whose address is https is used over https only; one without, as on one's own machine, over http.
import { env, exports } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";

afterEach(() => vi.restoreAllMocks());

const ask = (url: string, init: RequestInit = {}) =>
  exports.default.fetch(url, { redirect: "manual", ...init });

describe("where the deployment's address is https", () => {
  test.each(["/sign-in?to=%2Fx", "/alerts", "/api/v4/alerts?limit=1", "/a/x", "/nowhere"])(
    "%s over http goes to https, the method kept",
    async (path) => {
      for (const method of ["GET", "POST"]) {
        const answer = await ask(`http://tocsin.test${path}`, { method });
        expect([answer.status, answer.headers.get("location")]).toEqual([
          308,
          `https://tocsin.test${path}`,
        ]);
      }
    },
  );

  test("every answer over https says that it stays so", async () => {
    for (const path of ["/sign-in", "/api/v4/alerts", "/nowhere", "/integration/int_x"]) {
      const answer = await ask(`https://tocsin.test${path}`);
      expect(answer.headers.get("strict-transport-security")).toBe("max-age=31536000");
    }
  });

  test("senders are not redirected: many follow no redirect", async () => {
    const init = { method: "POST", body: "{}" };
    const victorops = "/integrations/generic/20131114/alert/key/everyone";
    const pagerduty = "/generic/2010-04-15/create_event.json";
    for (const path of ["/integration/int_x", "/v2/enqueue", "/v2/alerts", victorops, pagerduty]) {
      expect((await ask(`http://tocsin.test${path}`, init)).status).not.toBe(308);
    }
  });

  test("what a tunnel has taken over https, and another host, are left as they are", async () => {
    const headers = { "x-forwarded-proto": "https" };
    expect((await ask("http://tocsin.test/sign-in", { headers })).status).toBe(200);
    expect((await ask("http://127.0.0.1/sign-in")).status).toBe(200);
  });
});

test.each(["", "http://127.0.0.1:8787"])("with the address %j http stays http", async (address) => {
  vi.spyOn(env, "PUBLIC_URL", "get").mockReturnValue(address);
  for (const host of ["http://127.0.0.1:8787", "http://tocsin.test"]) {
    const answer = await ask(`${host}/sign-in`);
    expect(answer.status).toBe(200);
    expect(answer.headers.has("strict-transport-security")).toBe(false);
  }
});
