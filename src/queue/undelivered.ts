// What a provider took and could not deliver: its person is told on another channel, unless something else has
// reached them or the alert needs no answer any more; its alert's story says so either way.
import type { RawRow } from "../db/attributes.ts";
import { selectAsideRows, toAsideRow } from "../db/bundle-rows.ts";
import { statement } from "../db/database.ts";
import type { UndeliveredMessage } from "../domain/undelivered.ts";
import { goOn } from "./release.ts";

/** Deliveries of the message before it is left at what the notification says. */
const MAX_DELIVERIES = 5;

/** Handles one message; never throws. May be run again at any point. */
export async function handleUndelivered(
  message: Message<unknown>,
  body: UndeliveredMessage,
  env: Cloudflare.Env,
): Promise<void> {
  try {
    await passOn(body, env);
    message.ack();
  } catch (error) {
    const said = String(error).slice(0, 200);
    console.error({ message: "what was not delivered could not be passed on", error: said });
    if (message.attempts >= MAX_DELIVERIES) message.ack();
    else message.retry({ delaySeconds: 2 ** message.attempts });
  }
}

async function passOn({ accountId, undelivered }: UndeliveredMessage, env: Cloudflare.Env) {
  const { accountUserId, channel, notificationIds, reason, at } = undelivered;
  const { results } = await statement(
    env.DB,
    selectAsideRows(accountId, notificationIds),
  ).all<RawRow>();
  const release = { accountUserId, channel, kind: "burst", dueAt: at } as const;
  if (results.length > 0) {
    await goOn({ accountId, release }, results.map(toAsideRow), reason, env);
  }
}
