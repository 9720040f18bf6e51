// PRTG's "execute HTTP action": a form of its placeholders, unresolved in test notifications.
import { dataOf } from "../../reading/additional-data.ts";
import { textAt } from "../../reading/payload.ts";
import { createSenderType, type EventKind, ignoreState } from "../../sender-type.ts";

export const prtg = createSenderType({
  name: "prtg",
  title: "PRTG",
  description:
    "An HTTP action of PRTG with sensorid=%sensorid&status=%status&sensor=%sensor&device=%device&message=%message.",
  says: ["acknowledge", "resolve"],
  read: (fields) => {
    const status = textAt(fields, "status");
    const { state, kind } = readStatus(status?.toLowerCase() ?? "");
    if (kind === null) return ignoreState("status", status);
    const sensor = textAt(fields, "sensorid");
    const id = sensor?.startsWith("%") ? null : sensor;
    const name = textAt(fields, "sensor") ?? textAt(fields, "name");
    const members = [textAt(fields, "device"), name].filter((text) => text !== null).join(", ");
    const parts = ["Sensor", sensor, name, `is ${state.toUpperCase()}`];
    return {
      kind,
      // Separate, so that an acknowledged warning does not suppress the sensor's down alert.
      thirdpartyId: state === "down" ? id : id && `${id} ${state}`,
      // Sensors of two PRTGs may have one number.
      members: { names: members === "" ? [] : [members], isPartial: true },
      title: parts.filter((part) => part !== null).join(" "),
      description: textAt(fields, "message"),
      urgency: state === "down" ? null : "medium",
      additionalData: dataOf(fields, "device", "group", "probe", "linksensor", "lastvalue"),
    };
  },
});

type Status = { readonly state: string; readonly kind: EventKind | null };

/**
 * Parses a status. PRTG reports the end of a state with its successor: `Down ended (now: Up)`. A
 * sensor that is now paused or unknown has not recovered.
 */
function readStatus(status: string): Status {
  const [, state = "down", ended] =
    /^(down|warning|unusual|unknown)\b(.*\bended\b)?/.exec(status) ?? [];
  if (ended !== undefined) {
    const now = /\(now: (\w+)/.exec(status)?.[1] ?? "";
    return { state, kind: SUCCESSORS.includes(now) ? "resolve" : null };
  }
  if (/^down \(acknowledged\)/.test(status)) return { state, kind: "acknowledge" };
  if (/^(?:down|warning|unusual|unknown)\b|^%status/.test(status)) return { state, kind: "create" };
  return { state, kind: /^up\b/.test(status) ? "resolve" : null };
}

/** Successor states that end the previous one; each has its own notification if needed. */
const SUCCESSORS = ["up", "warning", "unusual", "down"];
