// Checkmk: a notification script that posts its environment (the NOTIFY_ variables) as JSON.
import { sender } from "../../sender.ts";
import { readNotification } from "./nagios.ts";

export const checkmk = sender({
  name: "checkmk",
  title: "Checkmk",
  description:
    "A notification script of Checkmk that posts its NOTIFY_ variables as JSON or a form.",
  says: ["acknowledge", "resolve"],
  read: readNotification,
});
