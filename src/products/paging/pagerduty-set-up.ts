// PagerDuty: an Events API v2 integration of a service.
import type { SetUp } from "../set-up.ts";

export const pagerduty: SetUp = {
  kind: "outgoing",
  steps: [
    "In PagerDuty, open the service's integrations and add Events API V2.",
    "Enter its integration key in this integration's option routing_key.",
    "Send a test message.",
  ],
  snippets: [],
};
