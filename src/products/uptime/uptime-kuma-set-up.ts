// Uptime Kuma: its Webhook or PagerTree notification.
import type { SetUp } from "../set-up.ts";
import sample from "./uptime-kuma-sample.json" with { type: "json" };

export const uptimeKuma: SetUp = {
  kind: "incoming",
  steps: [
    "In Uptime Kuma, open Settings, Notifications, and set up one of the type PagerTree.",
    "Enter this URL as the integration's URL, and switch on automatic resolution: <URL>",
    "Or set up a notification of the type Webhook with the same URL and a JSON body.",
    "Choose the notification in your monitors, and press Test.",
    "Give every other Uptime Kuma an integration of its own: their numbers repeat.",
  ],
  snippets: [],
  standby:
    "Add a second notification, set up like the first and chosen in the same monitors, with the standby's URL: <STANDBY_URL>",
  sample,
};
