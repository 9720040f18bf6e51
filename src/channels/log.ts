// The worker's own log as a channel: for local use, where a person may have no other.
// `LOG_PAGES = "on"` sets it up; a deployment leaves it off, since titles do not belong in its log.
import type { Transport } from "./channel.ts";

export const log: Transport = {
  channel: "log",
  isSetUp: (env) => env.LOG_PAGES === "on",
  send: async () => ({ kind: "sent", providerId: null }),
};
