// Uptime.com's webhook: checks that fail or recover.
import { dataOf } from "../reading/additional-data.ts";
import { payloadAt, textAt, textsOf } from "../reading/payload.ts";
import { createSenderType, readState } from "../sender-type.ts";

export const uptimeCom = createSenderType({
  name: "uptime_com",
  title: "Uptime.com",
  description: "A custom postback or webhook of Uptime.com.",
  says: ["resolve"],
  read: (fields) => {
    const event = textAt(fields, "event");
    const kind = readState("event", event, {
      create: ["alert_raised"],
      resolve: ["alert_cleared"],
      others: "create",
    });
    if (typeof kind !== "string") return kind;
    const service = payloadAt(fields, "data", "service");
    const name = textAt(service, "display_name") ?? textAt(service, "name");
    return {
      kind,
      thirdpartyId: textAt(service, "id"),
      title: name && `${name} is DOWN`,
      description: textAt(fields, "data", "alert", "output"),
      tags: textsOf(service.tags),
      additionalData: [
        ...dataOf(payloadAt(fields, "data", "links"), "alert_details", "real_time_analysis"),
        ...dataOf(service, "monitoring_service_type", "device_name"),
      ],
    };
  },
});
