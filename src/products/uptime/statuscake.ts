// StatusCake's contact group webhook: a form, or the same fields in the query.
import { dataOf } from "../reading/additional-data.ts";
import { tagsOf, textAt } from "../reading/payload.ts";
import { createSenderType, readState } from "../sender-type.ts";

export const statuscake = createSenderType({
  name: "statuscake",
  title: "StatusCake",
  description: "A contact group of StatusCake, for uptime tests.",
  says: ["resolve"],
  authentication: { tokenField: "Token" },
  read: (fields) => {
    const status = textAt(fields, "Status");
    const kind = readState("Status", status, {
      create: ["Down"],
      resolve: ["Up"],
      ignore: ["Paused"],
      others: "create",
    });
    if (typeof kind !== "string") return kind;
    return {
      kind,
      // Several tests can share one URL.
      thirdpartyId:
        [textAt(fields, "URL"), textAt(fields, "Name")].filter(Boolean).join(" ") || null,
      title: `${textAt(fields, "Name") ?? textAt(fields, "URL") ?? "StatusCake test"} is down`,
      tags: tagsOf(fields.Tags),
      additionalData: dataOf(fields, "URL", "StatusCode", "IP", "Method", "CheckRate"),
    };
  },
});
