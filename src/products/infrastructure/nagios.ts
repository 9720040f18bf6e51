// Nagios, Icinga and Naemon: a notification command that sends the macros under their own names, as
// a form or as JSON.

import { dataOf } from "../reading/additional-data.ts";
import { fieldsSpelled, type Payload, textAt } from "../reading/payload.ts";
import { urgencyOfWord } from "../reading/severity.ts";
import { CURL_RETRIES } from "../repeated-answers.ts";
import { createSenderType, type ReadContext, type Reading, readState } from "../sender-type.ts";

export const nagios = createSenderType({
  name: "nagios",
  title: "Nagios and Icinga",
  description: "A notification command of Nagios or Icinga, for hosts and services.",
  // Its set-up calls curl.
  repeats: CURL_RETRIES,
  says: ["acknowledge", "resolve"],
  read: readNotification,
});

/**
 * Severities of states that are not severity words. Checkmk's short states are the first four
 * letters.
 */
const STATE_URGENCY = {
  down: "critical",
  unreachable: "critical",
  unre: "critical",
  unknown: "warning",
  unkn: "warning",
} as const;

/** Notification types of Nagios, Icinga and Checkmk about flapping, downtimes and handlers. */
const BESIDE_TROUBLES = [
  ...["FLAPPINGSTART", "FLAPPINGSTOP", "FLAPPINGEND", "FLAPPINGDISABLED", "ALERTHANDLER"],
  ...["DOWNTIMESTART", "DOWNTIMEEND", "DOWNTIMECANCELLED", "DOWNTIMEREMOVED"],
];

const MACROS = [
  "notificationtype",
  "hostname",
  "servicedesc",
  ...["host", "service"].flatMap((of) => [
    ...[`${of}state`, `${of}shortstate`, `${of}output`, `long${of}output`],
  ]),
  ...["hostaddress", "notificationauthor", "notificationcomment"],
];

/** Reads a notification's macros, in any case, with or without Checkmk's `NOTIFY_` prefix. */
export function readNotification(fields: Payload, { options }: ReadContext): Reading {
  const macros = fieldsSpelled(fields, MACROS, (key) => key.toLowerCase().replace(/^notify_/, ""));
  const word = textAt(macros, "notificationtype");
  const kind = readState("NOTIFICATIONTYPE", word?.split(" ")[0] ?? null, {
    create: ["PROBLEM", "CUSTOM"],
    acknowledge: ["ACKNOWLEDGEMENT"],
    resolve: ["RECOVERY"],
    ignore: BESIDE_TROUBLES,
    others: "create",
  });
  if (typeof kind !== "string") return kind;
  const host = textAt(macros, "hostname");
  const service = textAt(macros, "servicedesc");
  const name = [host, service].filter((part) => part !== null);
  const of = service === null ? "host" : "service";
  const stated = textAt(macros, `${of}state`) ?? textAt(macros, `${of}shortstate`);
  const state = stated?.toLowerCase() ?? "";
  const known = Object.entries(STATE_URGENCY).find(([one]) => one === state)?.[1];
  const output = textAt(macros, `${of}output`);
  return {
    kind,
    thirdpartyId: name.join(":") || null,
    title:
      name.length === 0 ? output : `${name.join(" ")} is ${state.toUpperCase() || "in trouble"}`,
    description: [output, textAt(macros, `long${of}output`)].filter(Boolean).join("\n\n") || null,
    urgency: urgencyOfWord(state, options) ?? urgencyOfWord(known ?? null),
    additionalData: dataOf(macros, "hostaddress", "notificationauthor", "notificationcomment"),
  };
}
