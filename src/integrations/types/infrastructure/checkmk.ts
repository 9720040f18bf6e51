// Checkmk: a notification script that posts its environment (the NOTIFY_ variables) as JSON.
import { createSenderType } from "../../sender-type.ts";
import { readNotification } from "./nagios.ts";

export const checkmk = createSenderType({
  name: "checkmk",
  title: "Checkmk",
  description:
    "A notification script of Checkmk that posts its NOTIFY_ variables as JSON or a form.",
  says: ["acknowledge", "resolve"],
  read: readNotification,
});
