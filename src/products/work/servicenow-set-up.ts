// ServiceNow: a business rule that posts an incident's fields.
import type { SetUp } from "../set-up.ts";
import sample from "./servicenow-sample.json" with { type: "json" };

export const servicenow: SetUp = {
  kind: "incoming",
  steps: [
    "In ServiceNow, create a business rule for the table Incident that runs after insert and update.",
    "Switch on Advanced and enter the script below.",
  ],
  snippets: [
    {
      title: "Script",
      format: "text",
      text: `(function executeRule(current, previous) {
  var request = new sn_ws.RESTMessageV2();
  request.setEndpoint('<URL>');
  request.setHttpMethod('post');
  request.setRequestHeader('Content-Type', 'application/json');
  request.setRequestHeader('service-token', '<TOKEN>');
  request.setRequestBody(JSON.stringify({
    number: current.getValue('number'),
    sys_id: current.getUniqueValue(),
    state: current.getValue('state'),
    short_description: current.getValue('short_description'),
    description: current.getValue('description'),
    priority: current.getValue('priority'),
    category: current.getValue('category'),
    assignment_group: current.getDisplayValue('assignment_group'),
    link: gs.getProperty('glide.servlet.uri') + current.getLink(true)
  }));
  request.executeAsync();
})(current, previous);`,
    },
  ],
  standby:
    "Create a second business rule with the same script and the standby's URL: <STANDBY_URL>",
  sample,
};
