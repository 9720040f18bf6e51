// Hyperping's webhook: checks that go down or up.
import { isJsonObject } from "../../domain/shared/json.ts";
import { datum } from "../reading/additional-data.ts";
import { MAX_ITEMS } from "../reading/bounds.ts";
import { listAt, payloadAt, textAt } from "../reading/payload.ts";
import { createSenderType, readState } from "../sender-type.ts";

export const hyperping = createSenderType({
  name: "hyperping",
  title: "Hyperping",
  description: "A webhook of Hyperping.",
  // In the description.
  leavesOut: /^pings/,
  says: ["resolve"],
  read: (fields) => {
    const event = textAt(fields, "event");
    const kind = readState("event", event, {
      create: ["check.down"],
      resolve: ["check.up"],
      ignore: ["check.paused"],
      others: "create",
    });
    if (typeof kind !== "string") return kind;
    const check = payloadAt(fields, "check");
    const url = textAt(check, "url");
    const pings = listAt(fields, "pings").slice(0, MAX_ITEMS).filter(isJsonObject);
    return {
      kind,
      thirdpartyId: url ?? textAt(check, "monitorUuid"),
      title: `${textAt(check, "name") ?? url ?? "A check"} is down`,
      description:
        pings
          .map((ping) =>
            [textAt(ping, "location"), textAt(ping, "statusMessage")].filter(Boolean).join(": "),
          )
          .join("\n") || null,
      additionalData: [...datum("url", url, "link"), ...datum("status", textAt(check, "status"))],
    };
  },
});
