// The worker's log as a channel, for local use, where a person may have no other.
// `LOG_PAGES = "on"` enables it; deployments leave it off, since titles do not belong in a log.
import type { Transport } from "../../../products/channel.ts";

export const log: Transport = {
  channel: "log",
  isSetUp: (env) => env.LOG_PAGES === "on",
  send: async () => ({ kind: "sent", providerId: null }),
};
