// Better Stack Uptime's outgoing webhook: an incident in its API format, sent at each change.
import { dataOf, datum } from "../reading/additional-data.ts";
import { payloadAt, textAt } from "../reading/payload.ts";
import { createSenderType, readState } from "../sender-type.ts";

export const betterStack = createSenderType({
  name: "better_stack",
  title: "Better Stack",
  description: "An outgoing webhook of Better Stack Uptime for incidents.",
  says: ["acknowledge", "resolve"],
  read: (fields) => {
    const incident = payloadAt(fields, "data");
    const attributes = payloadAt(incident, "attributes");
    const isSet = (name: string) => textAt(attributes, name) !== null;
    const derived = isSet("resolved_at")
      ? "Resolved"
      : isSet("acknowledged_at")
        ? "Acknowledged"
        : isSet("started_at")
          ? "Started"
          : null;
    const status = textAt(attributes, "status") ?? derived;
    const kind = readState("data.attributes.status", status, {
      create: ["Started", "Reopened"],
      acknowledge: ["Acknowledged"],
      resolve: ["Resolved"],
      ignore: ["Validating"],
      others: "create",
    });
    if (typeof kind !== "string") return kind;
    const name = textAt(attributes, "name");
    const cause = textAt(attributes, "cause");
    return {
      kind,
      thirdpartyId: textAt(incident, "id"),
      title: [name, cause].filter(Boolean).join(": ") || null,
      description: textAt(attributes, "response_content"),
      additionalData: [
        ...dataOf(attributes, "url", "origin_url", "http_method", "team_name", "started_at"),
        ...datum("screenshot", textAt(attributes, "screenshot_url"), "link"),
      ],
    };
  },
});
