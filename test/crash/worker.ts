// The worker with a fake mail service that outlives it, a clock that can be ahead, and
// `/crash/notifications`: the number of notifications by status; `/crash/ping` answers once the database has; `/crash/live/<fault>/<account>`
// closes the WebSockets of an account's consoles, or resets the object that holds them, as a move
// to another machine does.
import { env } from "cloudflare:workers";
import worker, { LiveObject as OwnLiveObject } from "../../src/index.ts";

export * from "../../src/index.ts";

export class LiveObject extends OwnLiveObject {
  async closeSockets(): Promise<void> {
    for (const socket of this.ctx.getWebSockets()) socket.close(1012, "service restart");
  }

  async reset(): Promise<void> {
    this.ctx.abort("reset by a test");
  }
}

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

/** Answers once the database has. */
async function ping({ DB }: Cloudflare.Env): Promise<Response> {
  await DB.prepare("select 1").run();
  return new Response();
}

async function failLive(own: Cloudflare.Env, fault: string, accountId: string): Promise<Response> {
  const object = own.LIVE.getByName(accountId) as unknown as LiveObject;
  if (fault === "close") await object.closeSockets();
  // The call ends with the object.
  else await object.reset().catch(() => undefined);
  return Response.json({ fault });
}

export default {
  ...worker,
  fetch: async (request, own, context) => {
    const [, ours, subject, fault = "", accountId = ""] = new URL(request.url).pathname.split("/");
    if (ours !== "crash") return worker.fetch(request, own, context);
    if (subject === "ping") return ping(own);
    return subject === "live" ? failLive(own, fault, accountId) : countNotifications(own);
  },
} satisfies ExportedHandler<Cloudflare.Env>;
