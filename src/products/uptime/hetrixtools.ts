// HetrixTools' webhooks: uptime, resource usage of a server, and blacklists (a list of reports).
import { dataOf } from "../reading/additional-data.ts";
import { MAX_ITEMS } from "../reading/bounds.ts";
import { listAt, type Payload, payloadAt, textAt, textOf } from "../reading/payload.ts";
import { createSenderType, type Reading, readState } from "../sender-type.ts";

export const hetrixtools = createSenderType({
  name: "hetrixtools",
  title: "HetrixTools",
  description: "A webhook of a HetrixTools contact list.",
  says: ["resolve"],
  read: (fields) => {
    if (fields.blacklisted_now !== undefined) return readBlacklist(fields);
    if (fields.resource_usage !== undefined) return readUsage(fields);
    const status = textAt(fields, "monitor_status");
    const kind = readState("monitor_status", status, {
      create: ["offline"],
      resolve: ["online"],
      ignore: ["maintenance"],
      others: "create",
    });
    if (typeof kind !== "string") return kind;
    const errors = payloadAt(fields, "monitor_errors");
    const lines = Object.keys(errors)
      .slice(0, MAX_ITEMS)
      .map((place) => `${place}: ${textOf(errors[place]) ?? ""}`);
    return {
      kind,
      thirdpartyId: textAt(fields, "monitor_id"),
      title: `${nameOf(fields)} is offline`,
      description: lines.join("\n") || null,
      additionalData: dataOf(fields, "monitor_target", "monitor_type", "monitor_category"),
    };
  },
});

const nameOf = (fields: Payload): string =>
  textAt(fields, "monitor_name") ?? textAt(fields, "monitor_target") ?? "HetrixTools monitor";

/** Resource usage has its own alert: a monitor that is online again can still be overloaded. */
function readUsage(fields: Payload): Reading {
  const monitor = textAt(fields, "monitor_id");
  const usage = payloadAt(fields, "resource_usage");
  const resource = textAt(usage, "resource_type");
  return {
    kind: "create",
    thirdpartyId: monitor && [monitor, resource ?? "usage"].join(" "),
    title: `${nameOf(fields)}: ${resource ?? "resource"} usage`,
    description: textOf(usage),
    urgency: "medium",
    additionalData: dataOf(fields, "monitor_target", "monitor_type"),
  };
}

function readBlacklist(fields: Payload): Reading {
  const monitor = textAt(fields, "monitor");
  const now = textAt(fields, "blacklisted_now");
  const lists = listAt(fields, "blacklisted_on").slice(0, MAX_ITEMS);
  return {
    kind: now === "0" ? "resolve" : "create",
    thirdpartyId: monitor && `${monitor} blacklist`,
    title: `${textAt(fields, "label") ?? monitor ?? "An address"} is on ${now} blacklists`,
    description:
      lists
        .map((one) => textAt(one, "rbl"))
        .filter(Boolean)
        .join("\n") || null,
    urgency: "low",
    members: {
      names: now === "0" ? [] : lists.flatMap((one) => textAt(one, "rbl") ?? []),
      ...(lists.length === MAX_ITEMS && { isPartial: true }),
    },
    additionalData: dataOf(fields.links, "report_link"),
  };
}
