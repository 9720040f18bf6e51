// Kapacitor: the post handler of an alert node.
import type { SetUp } from "../set-up.ts";
import sample from "./kapacitor-sample.json" with { type: "json" };

export const kapacitor: SetUp = {
  kind: "incoming",
  steps: [
    "Add the handler below to the alert node of your tasks.",
    "Keep the state changes only, so that each change is sent once.",
  ],
  snippets: [
    {
      title: "TICKscript",
      format: "text",
      text: `|alert()
  .id('{{ .Name }}/{{ index .Tags "host" }}')
  .message('{{ .ID }} is {{ .Level }}')
  .warn(lambda: "usage" > 80)
  .crit(lambda: "usage" > 95)
  .stateChangesOnly()
  .post('<URL>')`,
    },
  ],
  standby: "Add a second .post to the alert node, with the standby's URL: <STANDBY_URL>",
  sample,
};
