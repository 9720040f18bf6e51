// Grafana's webhook contact point. Unified alerting sends Alertmanager's format with further links;
// legacy alerting (Grafana 10 and before) sends the state of one rule.

import type { InboundEvent, IntegrationType } from "../integration-type.ts";
import { dataOf, datum } from "../reading/additional-data.ts";
import { fieldsOf, listAt, type Payload, textAt, textsOf } from "../reading/payload.ts";
import { createSenderType, eachPayload, type Reading, readState } from "../sender-type.ts";
import { translateGroup } from "./prometheus.ts";

const legacy = createSenderType({
  name: "grafana",
  title: "Grafana",
  description: "A webhook contact point of Grafana, with legacy or unified alerting.",
  says: ["resolve"],
  options: [
    {
      key: "hmac_secret",
      type: "secret",
      required: false,
      default: null,
      help: "The HMAC secret of the contact point, with the default signature header.",
    },
  ],
  authentication: {
    signature: {
      option: "hmac_secret",
      header: "x-grafana-alerting-signature",
      encoding: "hex",
      // Users choose the header's name; these are the ones in Grafana's examples.
      timestamp: {
        headers: ["x-grafana-alerting-timestamp", "x-grafana-alerting-signature-timestamp"],
        join: ":",
        anyName: true,
      },
    },
  },
  read,
});

export const grafana: IntegrationType = {
  ...legacy,
  translate: (request, options) =>
    eachPayload(request, (one) => {
      const fields = fieldsOf(one);
      const isGroup = Array.isArray(fields.alerts) || textAt(fields, "groupKey") !== null;
      if (!isGroup) return legacy.translate(one, options);
      return withData(translateGroup(one, options), linksOf(fields));
    }),
};

function read(rule: Payload): Reading {
  const state = textAt(rule, "state");
  const kind = readState("state", state, {
    create: ["alerting", "no_data"],
    resolve: ["ok"],
    ignore: ["paused", "pending"],
    others: "create",
  });
  if (typeof kind !== "string") return kind;
  return {
    kind,
    thirdpartyId: textAt(rule, "ruleId"),
    // Rules of two Grafanas may have one number.
    members: { names: textsOf(textAt(rule, "ruleName")), isPartial: true },
    title: textAt(rule, "ruleName") ?? textAt(rule, "title"),
    description: textAt(rule, "message"),
    additionalData: [
      ...datum("ruleUrl", textAt(rule, "ruleUrl") ?? textAt(rule, "ruleURL"), "link"),
      ...datum("imageUrl", textAt(rule, "imageUrl"), "link"),
    ],
  };
}

/** Links to the first alert's panel, dashboard and silence. */
function linksOf(group: Payload) {
  const [first] = listAt(group, "alerts");
  return dataOf(first, "panelURL", "dashboardURL", "silenceURL", "imageURL", "valueString");
}

function withData(event: InboundEvent, data: ReturnType<typeof linksOf>): InboundEvent {
  if (event.kind !== "create") return event;
  return { ...event, additionalData: [...data, ...event.additionalData].slice(0, 100) };
}
