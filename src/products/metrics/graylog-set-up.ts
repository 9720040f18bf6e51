// Graylog: an HTTP notification of an event definition.
import type { SetUp } from "../set-up.ts";
import sample from "./graylog-sample.json" with { type: "json" };

export const graylog: SetUp = {
  kind: "incoming",
  steps: [
    "In Graylog, open Alerts, Notifications, and create an HTTP Notification with this URL: <URL>",
    "Add the notification to your event definitions.",
    "Graylog sends no recovery: set option auto_resolve_after if alerts should end by themselves.",
  ],
  snippets: [],
  standby:
    "Add a second notification, set up like the first and added to the same event definitions, with the standby's URL: <STANDBY_URL>",
  sample,
};
