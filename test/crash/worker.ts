// The worker with a fake mail service that outlives it, a clock that can be ahead, and
// `/crash/notifications`: the number of notifications by status.
import { env } from "cloudflare:workers";
import worker from "../../src/index.ts";

export * from "../../src/index.ts";

const real = globalThis.fetch;

globalThis.fetch = ((input: RequestInfo | URL, init?: RequestInit) => {
  const { host } = new URL(input instanceof Request ? input.url : String(input));
  const { PROVIDER } = env as unknown as { PROVIDER: string };
  return host === "api.resend.com" ? real(PROVIDER, init) : real(input, init);
}) as typeof fetch;

const { CLOCK_AHEAD_MS = "0" } = env as unknown as { CLOCK_AHEAD_MS?: string };
const realNow = Date.now;
Date.now = () => realNow() + Number(CLOCK_AHEAD_MS);

async function countNotifications({ DB }: Cloudflare.Env): Promise<Response> {
  const query = "select status, count(*) as count from notifications group by status";
  const { results } = await DB.prepare(query).all<{ status: string; count: number }>();
  return Response.json(Object.fromEntries(results.map(({ status, count }) => [status, count])));
}

export default {
  ...worker,
  fetch: (request, own, context) =>
    new URL(request.url).pathname === "/crash/notifications"
      ? countNotifications(own)
      : worker.fetch(request, own, context),
} satisfies ExportedHandler<Cloudflare.Env>;
