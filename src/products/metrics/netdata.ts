// Netdata Cloud's webhook: alerts and reachability of nodes.
import { dataOf } from "../reading/additional-data.ts";
import { type Payload, textAt } from "../reading/payload.ts";
import { urgencyOfWord } from "../reading/severity.ts";
import { createSenderType, type ReadContext, type Reading, readState } from "../sender-type.ts";

export const netdata = createSenderType({
  name: "netdata",
  title: "Netdata",
  description: "A webhook configuration of Netdata Cloud, with basic or bearer authentication.",
  // netdata/netdata, alarm-notify.sh: one call of curl.
  repeats: [],
  says: ["resolve"],
  read: (fields, context) =>
    textAt(fields, "status", "text") === null
      ? readAlert(fields, context)
      : readReachability(fields, context),
});

function readAlert(fields: Payload, { options }: ReadContext): Reading {
  const severity = textAt(fields, "severity");
  const kind = readState("severity", severity, {
    create: ["warning", "critical"],
    resolve: ["clear"],
    ignore: ["removed", "undefined", "uninitialized"],
    others: "create",
  });
  if (typeof kind !== "string") return kind;
  const alert = textAt(fields, "alert");
  const node = textAt(fields, "node") ?? textAt(fields, "host") ?? nodeOf(fields);
  return {
    kind,
    thirdpartyId: [node, textAt(fields, "chart"), alert].filter(Boolean).join(" ") || null,
    title: textAt(fields, "message") ?? alert,
    description: textAt(fields, "info"),
    urgency: urgencyOfWord(severity, options),
    additionalData: dataOf(
      fields,
      "alert_url",
      "alert",
      "chart",
      "context",
      "space",
      "family",
      "class",
      "date",
    ),
  };
}

/** The node from the alert's URL; distinguishes the same chart on two nodes. */
function nodeOf(fields: Payload): string | null {
  return /\/nodes?\/([^/?#]+)/.exec(textAt(fields, "alert_url") ?? "")?.[1] ?? null;
}

function readReachability(fields: Payload, { options }: ReadContext): Reading {
  const state = textAt(fields, "status", "text");
  const kind = readState("status.text", state, {
    create: ["unreachable"],
    resolve: ["reachable"],
    others: "create",
  });
  if (typeof kind !== "string") return kind;
  const host = textAt(fields, "host") ?? "a node";
  return {
    kind,
    thirdpartyId: `${host} reachability`,
    title: textAt(fields, "message") ?? `${host} is unreachable`,
    urgency: urgencyOfWord(textAt(fields, "severity"), options),
    additionalData: dataOf(fields, "url", "host"),
  };
}
