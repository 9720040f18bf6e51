// GitLab: a webhook of a project or group; its secret is the integration's token.
import type { SetUp } from "../set-up.ts";
import sample from "./gitlab-sample.json" with { type: "json" };

export const gitlab: SetUp = {
  kind: "incoming",
  steps: [
    "Open the settings of the project or group, then Webhooks, and add one with this URL: <URL>",
    "Enter <TOKEN> as the secret token.",
    "Choose pipeline and deployment events.",
  ],
  snippets: [],
  standby: "Add a second webhook, set up like the first, with the standby's URL: <STANDBY_URL>",
  sample,
};
