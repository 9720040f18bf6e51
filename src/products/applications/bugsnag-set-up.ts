// BugSnag: a webhook of a project.
import type { SetUp } from "../set-up.ts";
import sample from "./bugsnag-sample.json" with { type: "json" };

export const bugsnag: SetUp = {
  kind: "incoming",
  steps: [
    "In BugSnag, open the project's settings, then Integrations and notifications, and choose Webhook.",
    "Enter this URL: <URL>",
    "Choose the events to send, such as new errors, reopened errors and changes of an error's status.",
    "Save, and use BugSnag's own test to send an event.",
  ],
  snippets: [],
  standby: "Add a second webhook, set up like the first, with the standby's URL: <STANDBY_URL>",
  sample,
};
