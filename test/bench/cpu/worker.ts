// The worker with entrances by which a measurement repeats invocations that no request is: an object's step, a batch of
// the queue, the work of a minute. Not deployed.
import type { PageMessage } from "../../../src/domain/notifications/page.ts";
import { prefixIdOf } from "../../../src/domain/shared/identifiers.ts";
import { alertObject } from "../../../src/features/stubs.ts";
import worker from "../../crash/worker.ts";

export * from "../../crash/worker.ts";

/** The page that the queue delivered last. */
let latest: PageMessage | null = null;

const BY = { accountUserId: null, name: "the measurement" };

/** Changes the alert of the latest page: a step of its object, and what readers see of it. */
async function step(env: Cloudflare.Env, { accountId, alert }: PageMessage, i: number) {
  const changes = { title: `Disk full, ${i}` };
  const object = alertObject(env, prefixIdOf("alert", alert?.id ?? ""));
  await object.command(accountId, { type: "change", changes, by: BY }, "for_readers");
}

/** Delivers a batch of one page: a copy of the latest, with an effect of its own. */
async function deliver(env: Cloudflare.Env, context: ExecutionContext, page: PageMessage) {
  const effectId = `${page.alert?.id}:${crypto.randomUUID()}`;
  const body = { ...page, page: { ...page.page, effectId } };
  const message = { body, id: effectId, timestamp: new Date(), attempts: 1, ack() {}, retry() {} };
  const batch = { queue: "tocsin-pages", messages: [message], ackAll() {}, retryAll() {} };
  await worker.queue(batch as never, env, context);
}

export default {
  ...worker,
  async fetch(request, env, context) {
    const { pathname, searchParams } = new URL(request.url);
    if (!pathname.startsWith("/bench/")) return worker.fetch(request, env, context);
    for (let i = 0; i < Number(searchParams.get("times")); i += 1) {
      if (pathname === "/bench/minute") await worker.scheduled({} as never, env);
      else if (latest === null) return new Response("no page was delivered yet", { status: 409 });
      else if (pathname === "/bench/step") await step(env, latest, i);
      else await deliver(env, context, latest);
    }
    return new Response();
  },
  async queue(batch, env, context) {
    for (const { body } of batch.messages)
      if ("page" in (body as object)) latest = body as PageMessage;
    await worker.queue(batch, env, context);
  },
} satisfies ExportedHandler<Cloudflare.Env>;
