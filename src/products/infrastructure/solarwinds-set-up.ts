// SolarWinds Orion: HTTP actions of an alert's trigger and reset.
import type { SetUp } from "../set-up.ts";
import sample from "./solarwinds-sample.json" with { type: "json" };

export const solarwinds: SetUp = {
  kind: "incoming",
  steps: [
    "In the alert's trigger actions, add Send a GET or POST Request to a Web Server with this URL: <URL>",
    "Choose POST, the content type application/json, and the body below.",
    "Add the same action to the reset actions, with Resolve instead of Create.",
  ],
  snippets: [
    {
      title: "Body of the trigger action",
      format: "json",
      text: `{
  "ActionType": "Create",
  "AlertID": "\${N=Alerting;M=AlertID}",
  "AlertObjectID": "\${N=Alerting;M=AlertObjectID}",
  "AlertMessage": "\${N=Alerting;M=AlertMessage}",
  "AlertDescription": "\${N=Alerting;M=AlertDescription}",
  "AlertDetailsUrl": "\${N=Alerting;M=AlertDetailsUrl}",
  "Severity": "\${N=Alerting;M=Severity}",
  "NodeName": "\${N=SwisEntity;M=Caption}"
}`,
    },
  ],
  standby: "Add each action a second time, with the standby's URL: <STANDBY_URL>",
  sample,
};
