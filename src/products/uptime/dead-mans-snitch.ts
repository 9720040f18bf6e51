// Dead Man's Snitch: jobs that miss a check-in, and jobs that report again.
import { dataOf } from "../reading/additional-data.ts";
import { payloadAt, textAt, textsOf } from "../reading/payload.ts";
import { createSenderType, readState } from "../sender-type.ts";

export const deadMansSnitch = createSenderType({
  name: "dead_mans_snitch",
  title: "Dead Man's Snitch",
  description: "A webhook integration of Dead Man's Snitch.",
  says: ["resolve"],
  read: (fields) => {
    const word = textAt(fields, "type");
    const kind = readState("type", word, {
      create: ["snitch.missing", "snitch.errored"],
      resolve: ["snitch.reporting"],
      ignore: ["snitch.paused"],
      others: "create",
    });
    if (typeof kind !== "string") return kind;
    const snitch = payloadAt(fields, "data", "snitch");
    const name = textAt(snitch, "name");
    return {
      kind,
      thirdpartyId: textAt(snitch, "token"),
      title: name && `${name} is ${textAt(snitch, "status") ?? "missing"}`,
      description: textAt(snitch, "notes"),
      tags: textsOf(snitch.tags),
      additionalData: dataOf(snitch, "token", "status", "previous_status"),
    };
  },
});
