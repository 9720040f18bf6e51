// P7: no input, of any shape, yields a 5xx, a hung request, or a response without a request id. A failure prints
// the seed and the smallest failing requests.
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { routes } from "../../src/routes.ts";
import { type GeneratedRequest, requestsAt } from "../support/api/generated-requests.ts";
import { sized } from "../support/generated/sizes.ts";
import { plain } from "../support/integrations/plain.ts";
import { openMailbox } from "../support/providers/mailbox.ts";
import { openMessengers } from "../support/providers/messengers.ts";
import { openTwilio } from "../support/providers/twilio.ts";
import { type Inhabited, makeInhabited } from "../support/worker/inhabited.ts";

const CASES = sized(300, 20_000);
/** The number of concurrent requests. */
const AT_ONCE = sized(2, 10);
/** A request that takes longer (ms) counts as hung. */
const HANGS_AFTER = 10_000;

let world: Inhabited;
const attributes = new Map<string, readonly string[]>();

beforeAll(async () => {
  openMailbox();
  openMessengers();
  openTwilio();
  world = await makeInhabited("fuzz");
  for (const route of routes.filter((it) => it.method === "GET" && !it.path.includes(":id"))) {
    const { body } = await world.api("GET", route.path);
    attributes.set(route.path, Object.keys(body.data?.[0] ?? {}));
  }
});
afterAll(() => {
  vi.restoreAllMocks();
});

async function send(request: GeneratedRequest) {
  const { method, path, headers, body } = request;
  const hanging = new AbortController();
  const hung = scheduler.wait(HANGS_AFTER, { signal: hanging.signal }).then(
    () => Promise.reject(new Error(`hangs: ${JSON.stringify(request)}`)),
    () => null,
  );
  const options = { headers, ...(body !== undefined && { body }) };
  const reply = await Promise.race([plain(world, method, path, options), hung]);
  hanging.abort();
  return reply as Awaited<ReturnType<typeof plain>>;
}

async function check(request: GeneratedRequest): Promise<void> {
  const { status, headers, body, text } = await send(request);
  const what = `${JSON.stringify(request).slice(0, 3_000)} → ${status} ${text.slice(0, 500)}`;
  expect(headers.get("x-request-id"), what).toMatch(/^[0-9a-f-]{36}$/);
  expect(status, what).toBeLessThan(500);
  if (status < 300) return;
  expect(headers.get("content-type"), what).toContain("application/json");
  expect(body, what).toMatchObject({ code: status, request_id: headers.get("x-request-id") });
  expect(body.errors.length, what).toBeGreaterThan(0);
  for (const error of body.errors) expect(typeof error.message, what).toBe("string");
}

/** Runs cases; a failure prints the seed and the smallest requests. */
async function runCases(requests: fc.Arbitrary<GeneratedRequest>, cases: number): Promise<void> {
  const together = fc.array(requests, { minLength: AT_ONCE, maxLength: AT_ONCE });
  const property = fc.asyncProperty(together, async (all) => {
    await Promise.all(all.map(check));
  });
  const numRuns = Math.max(1, Math.ceil(cases / AT_ONCE));
  await fc.assert(property, { numRuns });
}

describe("P7: no input yields a 5xx or a hung request", () => {
  test.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    "%s",
    { timeout: 120_000 + CASES * 20 },
    async (_, route) => {
      const [, first = ""] = route.path.split("/");
      const last = route.path.split("/").at(-1) ?? "";
      const filters = attributes.get(`/${last}`) ?? attributes.get(`/${first}`) ?? [];
      await runCases(requestsAt(route, world, filters), CASES / routes.length);
    },
  );
});
