// StatusGator's webhook: a status page or monitor changes its state.
import { datum } from "../reading/additional-data.ts";
import { textAt } from "../reading/payload.ts";
import { createSenderType, readState } from "../sender-type.ts";

export const statusgator = createSenderType({
  name: "statusgator",
  title: "StatusGator",
  description: "A webhook of a StatusGator board.",
  options: [
    {
      key: "create_on_warn",
      type: "boolean",
      required: false,
      default: true,
      help: "Also open alerts for warnings.",
    },
    {
      key: "create_on_maintenance",
      type: "boolean",
      required: false,
      default: true,
      help: "Also open alerts for maintenance.",
    },
  ],
  says: ["resolve"],
  read: (fields, { options }) => {
    const status = textAt(fields, "status");
    const kind = readState("status", status, {
      create: [
        "down",
        ...(options.create_on_warn === false ? [] : ["warn"]),
        ...(options.create_on_maintenance === false ? [] : ["maintenance"]),
      ],
      resolve: ["up"],
      ignore: ["warn", "maintenance"],
      others: "create",
    });
    if (typeof kind !== "string") return kind;
    const name = textAt(fields, "monitor", "display_name") ?? textAt(fields, "service", "name");
    return {
      kind,
      thirdpartyId: textAt(fields, "monitor", "id") ?? textAt(fields, "service", "id"),
      title: textAt(fields, "message") ?? (name && `${name} is ${status}`),
      description: textAt(fields, "details"),
      urgency: status?.toLowerCase() === "down" ? null : "low",
      additionalData: [
        ...datum("monitor", name),
        ...datum("status page", textAt(fields, "service", "landing_page_url"), "link"),
        ...datum("recorded_at", textAt(fields, "recorded_at")),
      ],
    };
  },
});
