// PRTG's "execute HTTP action": a form of its placeholders. A test sends the placeholder as it is.
import { dataOf } from "../additional-data.ts";
import { textAt } from "../payload.ts";
import { type EventKind, notForUs, sender } from "../sender.ts";

export const prtg = sender({
  name: "prtg",
  title: "PRTG",
  description:
    "An HTTP action of PRTG with sensorid=%sensorid&status=%status&sensor=%sensor&device=%device&message=%message.",
  says: ["acknowledge", "resolve"],
  read: (fields) => {
    const status = textAt(fields, "status");
    const kind = kindOfStatus(status?.toLowerCase() ?? "");
    if (kind === null) return notForUs("status", status);
    const id = textAt(fields, "sensorid");
    const name = textAt(fields, "sensor") ?? textAt(fields, "name");
    const [state = "down"] = /^(?:warning|unusual|unknown)\b/i.exec(status ?? "") ?? [];
    const words = ["Sensor", id, name, `is ${state.toUpperCase()}`];
    return {
      kind,
      thirdpartyId: id,
      title: words.filter((word) => word !== null).join(" "),
      description: textAt(fields, "message"),
      urgency: state === "down" ? null : "medium",
      additionalData: dataOf(fields, "device", "group", "probe", "linksensor", "lastvalue"),
    };
  },
});

/** PRTG tells the end of a state with the state that came after it: "Down ended (now: Up)". */
function kindOfStatus(status: string): EventKind | null {
  if (/^down \(acknowledged\)/.test(status)) return "acknowledge";
  if (/^(?:down|warning|unusual|unknown)\b(?!.*ended)|^%status/.test(status)) return "create";
  return /^up\b|\(now: up\)/.test(status) ? "resolve" : null;
}
