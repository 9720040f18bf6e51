// The code by which an SMS is answered: of one message to one person, so that it counts as theirs alone.
// Nobody else can compute it, whatever they may read.
import { createHmac } from "node:crypto";
import type { NotificationKey } from "../../../domain/notifications/page.ts";

/**
 * The four digits of a notification; null without `LINK_SECRET`: SMS are then not answered. Codes can
 * collide: the reader checks for a unique match.
 */
export function answerCode(
  { LINK_SECRET }: Pick<Cloudflare.Env, "LINK_SECRET">,
  { accountUserId, id }: Pick<NotificationKey, "accountUserId" | "id">,
): string | null {
  if (!LINK_SECRET) return null;
  const digest = createHmac("sha256", LINK_SECRET).update(`sms answer ${accountUserId} ${id}`);
  return String(digest.digest().readUInt32BE(0) % 10_000).padStart(4, "0");
}

/** A message that an SMS may answer; by the notifications that told of it, the latest last. */
export type Answerable = {
  readonly accountUserId: string;
  readonly notificationIds: readonly string[];
};

/** What an SMS answers: the items of the first of its codes that belongs to any. */
export function findCoded<Item extends Answerable>(
  env: Pick<Cloudflare.Env, "LINK_SECRET">,
  codes: readonly string[],
  items: readonly Item[],
): { readonly code: string; readonly matching: readonly Item[] } | null {
  const coded = items.map((item) => ({
    item,
    codes: item.notificationIds.map((id) => answerCode(env, { ...item, id })),
  }));
  for (const code of codes) {
    const matching = coded.filter((it) => it.codes.includes(code)).map(({ item }) => item);
    if (matching.length > 0) return { code, matching };
  }
  return null;
}
