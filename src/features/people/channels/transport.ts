// A messenger as a channel: reads the address, sends, and stores with the address since when the
// provider refuses it.
import type { Sent, Transport } from "../../../products/channel.ts";
import { buildContent } from "../../../products/content.ts";
import type { Messenger } from "../../../products/messenger.ts";
import { readUsableAddress, storeAddressHealth } from "../channel-addresses/rows.ts";
import { sendingSettings } from "../channel-addresses/sending-settings.ts";
import { deliver } from "./deliver.ts";
import { countAnswer } from "./fail-over.ts";

const REMOVED: Sent = { kind: "permanent", reason: "the address was removed" };

/** The transport of a messenger. `to` is the `prefix_id` of the person's address. */
export const messengerTransport = (messenger: Messenger): Transport => ({
  channel: messenger.channel,
  isSetUp: messenger.isSetUp,
  send: async (env, { to }, message, id) => {
    try {
      const { accountId, page } = message;
      const address = await readUsableAddress(env.DB, accountId, page.accountUserId, to);
      if (address === null || address.channel !== messenger.channel) return REMOVED;
      const person = { accountId, accountUserId: page.accountUserId };
      const givenAt = Date.now();
      const all = await sendingSettings(messenger, env, env.DB, person, address.settings);
      if (all.kind !== "settings") {
        countAnswer(messenger.channel, messenger.channel, all, givenAt);
        return all;
      }
      const content = await buildContent(env, message, id, messenger);
      const sent = await deliver(env, messenger, messenger.request(env, all.settings, content));
      const isChanged = address.isFailing ? sent.kind === "sent" : sent.kind === "permanent";
      if (isChanged) {
        const failure = sent.kind === "permanent" ? sent.reason : null;
        // If it cannot be stored now, the next attempt stores it.
        await storeAddressHealth(env.DB, address.id, failure, Date.now()).catch(() => {});
      }
      return sent;
    } catch {
      return { kind: "temporary", reason: "the address could not be read" };
    }
  },
});
