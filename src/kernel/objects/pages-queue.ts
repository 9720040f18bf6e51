// The queue of pages as objects send to it. On Cloudflare's free plan, where a queue takes some thousand messages in a day,
// what it refuses for the rest of the day is handled without it, by the operations object: pages go on.
import { isOnFreePlan } from "../../domain/shared/daily-limits.ts";
import { usedUpLimit } from "../db/outage.ts";
import { OPERATIONS } from "../metrics/report-counts.ts";
import { objectNamed } from "./object-named.ts";

/** What objects need of a queue. */
export type Sender = Pick<Queue, "sendBatch">;

async function sendWithoutQueue(
  env: Cloudflare.Env,
  messages: readonly MessageSendRequest[],
): Promise<void> {
  const { reportUsedUp } = await import("../db/daily-use.ts");
  const bodies = messages.map(({ body }) => body);
  await objectNamed(env, env.OPERATIONS, OPERATIONS).consume(JSON.stringify(bodies));
  await reportUsedUp(env, "queue operations");
}

/** The queue of pages of this deployment. */
export function pagesQueue(env: Cloudflare.Env): Sender {
  if (!isOnFreePlan(env)) return env.PAGES;
  return {
    sendBatch: async (messages, options) => {
      const sent = [...messages];
      try {
        return await env.PAGES.sendBatch(sent, options);
      } catch (error) {
        if (usedUpLimit(error) !== "queue operations") throw error;
        await sendWithoutQueue(env, sent);
        return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
      }
    },
  };
}
