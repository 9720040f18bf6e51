// Azure Monitor: a webhook of an action group, with the common alert schema.
import type { SetUp } from "../set-up.ts";
import sample from "./azure-monitor-sample.json" with { type: "json" };

export const azureMonitor: SetUp = {
  kind: "incoming",
  steps: [
    "In Azure, open Monitor, Alerts, Action groups, and create a group, or use the command below.",
    "Add an action of the type Webhook with this URL: <URL>",
    "Switch on the common alert schema.",
    "Choose the group in your alert rules.",
  ],
  snippets: [
    {
      title: "Create the action group",
      format: "shell",
      text: `az monitor action-group create \\
  --resource-group my-group \\
  --name tocsin \\
  --action webhook tocsin '<URL>' usecommonalertschema`,
    },
  ],
  standby:
    "Add a second action of the type Webhook to the group, with the standby's URL: <STANDBY_URL>",
  sample,
};
