// Pulsetic's webhook: a monitor goes offline or online, a certificate expires soon.
import { datum } from "../reading/additional-data.ts";
import { payloadAt, textAt } from "../reading/payload.ts";
import { createSenderType, readState } from "../sender-type.ts";

const EXPIRES = "certificate_expires_soon";

export const pulsetic = createSenderType({
  name: "pulsetic",
  title: "Pulsetic",
  description: "A webhook of Pulsetic.",
  says: ["resolve"],
  read: (fields) => {
    const type = textAt(fields, "alert_type");
    const kind = readState("alert_type", type, {
      create: ["monitor_offline", EXPIRES],
      resolve: ["monitor_online"],
      ignore: ["monitor_paused"],
      others: "create",
    });
    if (typeof kind !== "string") return kind;
    const monitor = payloadAt(fields, "monitor");
    const url = textAt(monitor, "url");
    const id = textAt(monitor, "id") ?? url;
    const name = textAt(monitor, "name") ?? url ?? "A monitor";
    const isExpiry = type?.toLowerCase() === EXPIRES;
    const days = textAt(fields, "days_left");
    return {
      kind,
      // A monitor that is online again can still have an expiring certificate.
      thirdpartyId: id && (isExpiry ? `${id} certificate` : id),
      title: isExpiry ? `The certificate of ${name} expires soon` : `${name} is offline`,
      description: isExpiry && days !== null ? `${days} days left` : null,
      urgency: isExpiry ? "low" : null,
      additionalData: datum("url", url, "link"),
    };
  },
});
