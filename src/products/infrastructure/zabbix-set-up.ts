// Zabbix: a webhook media type to import.
import type { SetUp } from "../set-up.ts";
import sample from "./zabbix-sample.json" with { type: "json" };

export const zabbix: SetUp = {
  kind: "incoming",
  steps: [
    "Save the text below as a file and import it in Zabbix under Alerts, Media types.",
    "Define the global macro {$ZABBIX.URL} with your front end's address: alerts then link to their event.",
    "Add the media type to a user, with any recipient.",
    "Let your trigger actions notify that user, also in the recovery operations.",
    "Give every other Zabbix an integration of its own: their numbers repeat.",
  ],
  snippets: [
    {
      title: "Media type",
      format: "yaml",
      text: `zabbix_export:
  version: '6.0'
  media_types:
    - name: Tocsin
      type: WEBHOOK
      parameters:
        - name: url
          value: '<URL>'
        - name: title
          value: '{ALERT.SUBJECT}'
        - name: description
          value: '{ALERT.MESSAGE}'
        - name: event_id
          value: '{EVENT.ID}'
        - name: event_source
          value: '{EVENT.SOURCE}'
        - name: event_nseverity
          value: '{EVENT.NSEVERITY}'
        - name: event_tags
          value: '{EVENT.TAGS}'
        - name: event_value
          value: '{EVENT.VALUE}'
        - name: trigger_id
          value: '{TRIGGER.ID}'
        - name: zabbix_url
          value: '{$ZABBIX.URL}'
      script: |
        var fields = JSON.parse(value);
        var url = fields.url;
        delete fields.url;
        var request = new HttpRequest();
        request.addHeader('Content-Type: application/json');
        request.addHeader('service-token: <TOKEN>');
        request.post(url, JSON.stringify(fields));
        if (request.getStatus() !== 200) throw 'HTTP ' + request.getStatus();
        return 'OK';
      message_templates:
        - event_source: TRIGGERS
          operation_mode: PROBLEM
          subject: '{EVENT.NAME}'
          message: '{TRIGGER.DESCRIPTION}'
        - event_source: TRIGGERS
          operation_mode: RECOVERY
          subject: '{EVENT.NAME}'
          message: 'Resolved after {EVENT.DURATION}'`,
    },
  ],
  standby:
    "Import the media type a second time under another name, add it to the same user, and enter the standby's URL: <STANDBY_URL>",
  sample,
};
