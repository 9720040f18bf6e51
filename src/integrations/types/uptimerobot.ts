// UptimeRobot's web-hook alert contact: a GET or POST of its variables, to the integration's URL followed by `/g?`.
import { dataOf, datum } from "../additional-data.ts";
import { textAt } from "../payload.ts";
import { kindOf, notForUs, sender } from "../sender.ts";

export const uptimerobot = sender({
  name: "uptimerobot",
  title: "UptimeRobot",
  description:
    "A web-hook alert contact of UptimeRobot; its URL is this integration's with /g? after it.",
  says: ["resolve"],
  read: (fields) => {
    const word = textAt(fields, "alertTypeFriendlyName");
    const kind = kindOf(word, { create: ["Down"], resolve: ["Up"] });
    if (kind === null) return notForUs("alertTypeFriendlyName", word);
    const name = textAt(fields, "monitorFriendlyName") ?? textAt(fields, "monitorURL");
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

/** UptimeRobot's seconds since 1970 as people write instants. */
function instantOf(seconds: string | null): string | null {
  if (seconds === null || !/^\d{9,11}$/.test(seconds)) return seconds;
  return new Date(Number(seconds) * 1_000).toISOString();
}
