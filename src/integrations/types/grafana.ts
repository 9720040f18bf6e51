// Grafana's webhook contact point. Unified alerting sends what Alertmanager does, with links of its own; the legacy
// alerting of Grafana 10 and before sends one rule's state.
import { dataOf, datum } from "../additional-data.ts";
import type { InboundEvent, IntegrationType } from "../integration-type.ts";
import { fieldsOf, listAt, type Payload, textAt } from "../payload.ts";
import { kindOf, notForUs, type Reading, sender } from "../sender.ts";
import { translateGroup } from "./prometheus.ts";

const legacy = sender({
  name: "grafana",
  title: "Grafana",
  description: "A webhook contact point of Grafana, old or new alerting.",
  says: ["resolve"],
  options: [
    {
      key: "hmac_secret",
      type: "secret",
      required: false,
      default: null,
      help: "The HMAC secret of the contact point (header X-Grafana-Alerting-Signature).",
    },
  ],
  authentication: {
    signature: {
      option: "hmac_secret",
      header: "x-grafana-alerting-signature",
      encoding: "hex",
      timestamp: { header: "x-grafana-alerting-timestamp", join: ":" },
    },
  },
  read,
});

export const grafana: IntegrationType = {
  ...legacy,
  translate: (request, options) => {
    const fields = fieldsOf(request);
    const isGroup = Array.isArray(fields.alerts) || textAt(fields, "groupKey") !== null;
    if (!isGroup) return legacy.translate(request, options);
    const links = linksOf(fields);
    return translateGroup(request, options).map((event) => withData(event, links));
  },
};

function read(rule: Payload): Reading {
  const state = textAt(rule, "state");
  const kind = kindOf(state, { create: ["alerting"], resolve: ["ok"] });
  if (kind === null) return notForUs("state", state);
  return {
    kind,
    thirdpartyId: textAt(rule, "ruleId"),
    title: textAt(rule, "ruleName") ?? textAt(rule, "title"),
    description: textAt(rule, "message"),
    additionalData: [
      ...datum("ruleUrl", textAt(rule, "ruleUrl") ?? textAt(rule, "ruleURL"), "link"),
      ...datum("imageUrl", textAt(rule, "imageUrl"), "link"),
    ],
  };
}

/** Where the first alert's panel, dashboard and silence are. */
function linksOf(group: Payload) {
  const [first] = listAt(group, "alerts");
  return dataOf(first, "panelURL", "dashboardURL", "silenceURL", "imageURL", "valueString");
}

function withData(event: InboundEvent, data: ReturnType<typeof linksOf>): InboundEvent {
  if (event.kind !== "create") return event;
  return { ...event, additionalData: [...data, ...event.additionalData].slice(0, 100) };
}
