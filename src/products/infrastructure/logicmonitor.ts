// LogicMonitor's custom HTTP delivery; its payload uses LogicMonitor's tokens in lower case.
import { dataOf } from "../reading/additional-data.ts";
import { textAt } from "../reading/payload.ts";
import { urgencyOfWord } from "../reading/severity.ts";
import { createSenderType, readState } from "../sender-type.ts";

export const logicmonitor = createSenderType({
  name: "logicmonitor",
  title: "LogicMonitor",
  description: "Custom HTTP delivery of LogicMonitor.",
  says: ["acknowledge", "resolve"],
  read: (fields, { options }) => {
    const status = textAt(fields, "alertstatus");
    const kind = readState("alertstatus", status, {
      create: ["active", "update", "test"],
      acknowledge: ["ack"],
      resolve: ["clear"],
      ignore: ["sdt"],
      others: "create",
    });
    if (typeof kind !== "string") return kind;
    return {
      kind,
      thirdpartyId: textAt(fields, "internalid") ?? textAt(fields, "alertid"),
      title: textAt(fields, "eventmsg"),
      description: textAt(fields, "eventlogmsg"),
      urgency: urgencyOfWord(textAt(fields, "level"), options),
      additionalData: dataOf(fields, "host", "service"),
    };
  },
});
