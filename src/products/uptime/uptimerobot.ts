// UptimeRobot's web-hook alert contact: a GET or POST of its variables to the integration's URL
// followed by `/g?`.
import { dataOf, datum } from "../reading/additional-data.ts";
import { type Payload, textAt } from "../reading/payload.ts";
import { createSenderType, kindOf, type Reading, readState } from "../sender-type.ts";

export const uptimerobot = createSenderType({
  name: "uptimerobot",
  title: "UptimeRobot",
  description: "A webhook alert contact of UptimeRobot.",
  // It has the integration's own URL.
  leavesOut: /^monitorAlertContacts$/i,
  says: ["resolve"],
  acceptsGet: true,
  read: (fields) => {
    const type = textAt(fields, "alertType");
    if (type === EXPIRES) return readExpiry(fields);
    const word = textAt(fields, "alertTypeFriendlyName");
    // The number does not depend on the language; templates without the number have the word.
    const kind = kindOf(type, { create: ["1"], resolve: ["2"] }) ?? readWord(word ?? type);
    if (typeof kind !== "string") return kind;
    const name = nameOf(fields);
    const details = textAt(fields, "alertDetails");
    return {
      kind,
      thirdpartyId: textAt(fields, "monitorID"),
      title: `${name ?? "UptimeRobot monitor"} is DOWN`,
      description: details && `${name ?? "The monitor"} is DOWN because ${details}`,
      additionalData: [
        ...dataOf(fields, "monitorURL"),
        ...datum("alertDateTime", instantOf(textAt(fields, "alertDateTime"))),
      ],
    };
  },
});

const readWord = (word: string | null) =>
  readState("alertTypeFriendlyName", word, {
    create: ["Down"],
    resolve: ["Up"],
    ignore: ["Paused", "99", "Started", "98"],
    others: "create",
  });

/** The `alertType` of an expiring certificate or domain; 1 is down, 2 is up. */
const EXPIRES = "3";

const nameOf = (fields: Payload) =>
  textAt(fields, "monitorFriendlyName") ?? textAt(fields, "monitorURL");

/** Expiry has its own alert, of low urgency because days are left; no event ever resolves it. */
function readExpiry(fields: Payload): Reading {
  const monitor = textAt(fields, "monitorID");
  const word = textAt(fields, "alertTypeFriendlyName") ?? "expiry";
  return {
    kind: "create",
    thirdpartyId: monitor && `${monitor} ${word}`,
    title: `${nameOf(fields) ?? "UptimeRobot monitor"}: ${word}`,
    description: textAt(fields, "alertDetails"),
    urgency: "low",
    additionalData: dataOf(fields, "monitorURL", "sslExpiryDate", "sslExpiryDaysLeft"),
  };
}

/** Converts UptimeRobot's Unix seconds to ISO 8601. */
function instantOf(seconds: string | null): string | null {
  if (seconds === null || !/^\d{9,11}$/.test(seconds)) return seconds;
  return new Date(Number(seconds) * 1_000).toISOString();
}
