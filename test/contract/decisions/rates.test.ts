// Rate limits (contract 1, Rate limits): exceeding a limit is a 429 with Retry-After, per API key and per address. Those
// of an integration's events are in `refused-events.test.ts`.
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { call } from "../../support/api/api.ts";
import { type Inhabited, makeInhabited } from "../../support/worker/inhabited.ts";
import { makeIntegration } from "../../support/worker/world.ts";

let world: Inhabited;
beforeAll(async () => {
  world = await makeInhabited("rates");
});
afterEach(() => {
  vi.restoreAllMocks();
  (env as { RATE_LIMITS: string }).RATE_LIMITS = "off";
});

/** Makes a limit reject every request; returns the keys that it is called with. */
function exceed(limit: RateLimit): string[] {
  const keys: string[] = [];
  (env as { RATE_LIMITS: string }).RATE_LIMITS = "on";
  vi.spyOn(limit, "limit").mockImplementation(async ({ key }) => {
    keys.push(key);
    return { success: false };
  });
  return keys;
}

describe("429, with Retry-After", () => {
  test("per API key", async () => {
    const keys = exceed(env.API_RATE);
    const reply = await world.api("GET", "/teams");
    expect([reply.status, reply.body.code]).toEqual([429, 429]);
    expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(keys).toHaveLength(1);
    expect(keys[0]).not.toContain(world.key);
  });
  test("per address, for unknown ids and wrong tokens", async () => {
    const guarded = await makeIntegration(world, [world.ids.team.id], { token: "x" });
    const keys = exceed(env.STRANGER_RATE);
    const headers = { "cf-connecting-ip": "192.0.2.9" };
    const event = { event_type: "create", Title: "x" };
    expect((await guarded.send(event, headers)).status).toBe(429);
    const elsewhere = { "cf-connecting-ip": "2001:db8::9" };
    const path = "/integration/int_BBBBBBBBBBBBBA";
    const unknown = await call("POST", path, { body: event, headers: elsewhere });
    expect(unknown.status).toBe(429);
    expect(keys).toEqual(["192.0.2.9", "2001:db8:0:0::/64"]);
    expect((await call("POST", path, { body: event, headers })).status).toBe(429);
    expect(keys).toHaveLength(2);
  });
});
