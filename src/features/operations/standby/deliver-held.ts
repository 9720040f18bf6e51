// Held events, given to the inboxes of a standby that has taken over.
import { isRefusedForNow } from "../../integrations/inbox/settle-held.ts";
import { integrationInbox } from "../../stubs.ts";
import { type SentEvent, toHeld } from "./held-events.ts";

/** Delivers events, those of an inbox in order. Returns the ids of those that were taken. */
export async function deliverHeld(
  env: Cloudflare.Env,
  events: readonly SentEvent[],
): Promise<number[]> {
  const groups = [...Map.groupBy(events, ({ name }) => name)];
  const taken = await Promise.all(
    groups.map(async ([name, group]) => {
      const inbox = integrationInbox(env, name);
      const ids: number[] = [];
      for (const event of group) {
        const result = await inbox.receive(toHeld(event).request).catch(() => null);
        if (result === null || isRefusedForNow(result)) break;
        ids.push(event.id);
      }
      return ids;
    }),
  );
  return taken.flat();
}
