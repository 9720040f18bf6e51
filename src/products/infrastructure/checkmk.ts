// Checkmk: a notification script that posts its environment (the NOTIFY_ variables) as JSON.
import { createSenderType } from "../sender-type.ts";
import { readNotification } from "./nagios.ts";

/** What Checkmk's environment has besides the trouble: contacts, paths, times in many notations. */
const ENVIRONMENT =
  /^NOTIFY_(?:CONTACT|PARAMETER|OMD|MAIL_COMMAND|LOGDIR|LAST|PREVIOUS|MICROTIME|SHORTDATETIME|DATE|LONGDATE)/i;

export const checkmk = createSenderType({
  name: "checkmk",
  title: "Checkmk",
  description: "A notification script of Checkmk, for hosts and services.",
  leavesOut: ENVIRONMENT,
  says: ["acknowledge", "resolve"],
  read: readNotification,
});
