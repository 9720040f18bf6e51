// Sensu Go: a pipe handler that posts the event.
import type { SetUp } from "../set-up.ts";
import sample from "./sensu-sample.json" with { type: "json" };

export const sensu: SetUp = {
  kind: "incoming",
  steps: [
    "Create the handler below, for example with sensuctl create.",
    "Add it to the handlers of your checks. The filter is_incident keeps passing checks out; recoveries pass.",
  ],
  snippets: [
    {
      title: "Handler",
      format: "yaml",
      text: `type: Handler
api_version: core/v2
metadata:
  name: tocsin
spec:
  type: pipe
  command: "curl -fsS --retry 3 -H 'Content-Type: application/json' -d @- '<URL>'"
  filters:
    - is_incident
    - not_silenced
  timeout: 30`,
    },
  ],
  standby:
    "Add a second handler, set up like the first and added to the same checks, with the standby's URL: <STANDBY_URL>",
  sample,
};
