// ElastAlert 2: its pagertree alerter.
import type { SetUp } from "../set-up.ts";
import sample from "./elastalert-sample.json" with { type: "json" };

export const elastalert: SetUp = {
  kind: "incoming",
  steps: [
    "Add the lines below to a rule, or to the global configuration.",
    "ElastAlert sends no recovery: set option auto_resolve_after if alerts should end by themselves.",
  ],
  snippets: [
    {
      title: "Rule",
      format: "yaml",
      text: `alert:
  - pagertree
pagertree_integration_url: <URL>`,
    },
  ],
  standby:
    "A rule has one address: copy the rule under another name, with the standby's URL: <STANDBY_URL>",
  sample,
};
