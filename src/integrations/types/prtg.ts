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
    const { state, kind } = readStatus(status?.toLowerCase() ?? "");
    if (kind === null) return notForUs("status", status);
    const sensor = textAt(fields, "sensorid");
    const id = sensor?.startsWith("%") ? null : sensor;
    const name = textAt(fields, "sensor") ?? textAt(fields, "name");
    const words = ["Sensor", sensor, name, `is ${state.toUpperCase()}`];
    return {
      kind,
      // A warning is an alert of its own: one that somebody has seen to must not swallow the sensor's going down.
      thirdpartyId: state === "down" ? id : id && `${id} ${state}`,
      title: words.filter((word) => word !== null).join(" "),
      description: textAt(fields, "message"),
      urgency: state === "down" ? null : "medium",
      additionalData: dataOf(fields, "device", "group", "probe", "linksensor", "lastvalue"),
    };
  },
});

type Status = { readonly state: string; readonly kind: EventKind | null };

/**
 * What a status says of which state. PRTG tells that one ended with what came after: `Down ended (now: Up)`. A sensor
 * that is paused, or unknown, is not well for that.
 */
function readStatus(status: string): Status {
  const [, state = "down", ended] =
    /^(down|warning|unusual|unknown)\b(.*\bended\b)?/.exec(status) ?? [];
  if (ended !== undefined) {
    const now = /\(now: (\w+)/.exec(status)?.[1] ?? "";
    return { state, kind: OVER.includes(now) ? "resolve" : null };
  }
  if (/^down \(acknowledged\)/.test(status)) return { state, kind: "acknowledge" };
  if (/^(?:down|warning|unusual|unknown)\b|^%status/.test(status)) return { state, kind: "create" };
  return { state, kind: /^up\b/.test(status) ? "resolve" : null };
}

/** The states that a notification of their own tells of, when they are worth one. */
const OVER = ["up", "warning", "unusual", "down"];
