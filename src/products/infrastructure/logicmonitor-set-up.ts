// LogicMonitor: a custom HTTP delivery.
import type { SetUp } from "../set-up.ts";
import sample from "./logicmonitor-sample.json" with { type: "json" };

export const logicmonitor: SetUp = {
  kind: "incoming",
  steps: [
    "In LogicMonitor, open Settings, Integrations, and add a Custom HTTP Delivery.",
    "Use one URL for all activity, with the method POST: <URL>",
    "Choose raw JSON and enter the payload below. Include cleared and acknowledged alerts.",
    "Choose the integration as a stage of an escalation chain.",
  ],
  snippets: [
    {
      title: "Payload",
      format: "json",
      text: `{
  "alertstatus": "##ALERTSTATUS##",
  "internalid": "##INTERNALID##",
  "eventmsg": "##HOST## ##DATAPOINT## is ##VALUE##",
  "eventlogmsg": "##MESSAGE##",
  "level": "##LEVEL##",
  "host": "##HOST##",
  "service": "##INSTANCE##"
}`,
    },
  ],
  standby:
    "Add a second Custom HTTP Delivery, set up like the first and chosen in the same stages, with the standby's URL: <STANDBY_URL>",
  sample,
};
