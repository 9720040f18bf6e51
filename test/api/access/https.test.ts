// A deployment with an https address serves https only; one without, as in local development, serves http.
import { env, exports } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";

afterEach(() => vi.restoreAllMocks());

const request = (url: string, init: RequestInit = {}) =>
  exports.default.fetch(url, { redirect: "manual", ...init });

describe("a deployment with an https address", () => {
  test.each(["/sign-in?to=%2Fx", "/alerts", "/api/v4/alerts?limit=1", "/a/x", "/nowhere"])(
    "redirects %s from http to https and preserves the method",
    async (path) => {
      for (const method of ["GET", "POST"]) {
        const answer = await request(`http://tocsin.test${path}`, { method });
        expect([answer.status, answer.headers.get("location")]).toEqual([
          308,
          `https://tocsin.test${path}`,
        ]);
      }
    },
  );

  test("sends Strict-Transport-Security with every https response", async () => {
    for (const path of ["/sign-in", "/api/v4/alerts", "/nowhere", "/integration/int_x"]) {
      const answer = await request(`https://tocsin.test${path}`);
      expect(answer.headers.get("strict-transport-security")).toBe("max-age=31536000");
    }
  });

  test("does not redirect senders, because many do not follow redirects", async () => {
    const init = { method: "POST", body: "{}" };
    const victorops = "/integrations/generic/20131114/alert/key/everyone";
    const pagerduty = "/generic/2010-04-15/create_event.json";
    for (const path of ["/integration/int_x", "/v2/enqueue", "/v2/alerts", victorops, pagerduty]) {
      const { status } = await request(`http://tocsin.test${path}`, init);
      expect(status < 300 || status >= 400, `${path}: ${status}`).toBe(true);
    }
  });

  test("does not redirect requests that a proxy received over https, or requests to another host", async () => {
    const headers = { "x-forwarded-proto": "https" };
    expect((await request("http://tocsin.test/sign-in", { headers })).status).toBe(200);
    expect((await request("http://127.0.0.1/sign-in")).status).toBe(200);
  });
});

test.each(["", "http://127.0.0.1:8787"])(
  "a deployment with the address %j serves http without a redirect",
  async (address) => {
    vi.spyOn(env, "PUBLIC_URL", "get").mockReturnValue(address);
    for (const host of ["http://127.0.0.1:8787", "http://tocsin.test"]) {
      const answer = await request(`${host}/sign-in`);
      expect(answer.status).toBe(200);
      expect(answer.headers.has("strict-transport-security")).toBe(false);
    }
  },
);
