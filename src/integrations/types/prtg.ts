// PRTG's "execute HTTP action": a form of its placeholders. A test sends the placeholder as it is.
import { dataOf } from "../additional-data.ts";
import { textAt } from "../payload.ts";
import { notForUs, sender } from "../sender.ts";

export const prtg = sender({
  name: "prtg",
  title: "PRTG",
  description:
    "An HTTP action of PRTG with sensorid=%sensorid&status=%status&sensor=%sensor&device=%device&message=%message.",
  says: ["resolve"],
  read: (fields) => {
    const status = textAt(fields, "status")?.toLowerCase() ?? null;
    const isDown = status !== null && /^(?:down\b(?!.*ended)|%status)/.test(status);
    const kind = isDown ? "create" : /\bup\b/.test(status ?? "") ? "resolve" : null;
    if (kind === null) return notForUs("status", status);
    const id = textAt(fields, "sensorid");
    const words = ["Sensor", id, textAt(fields, "sensor"), "is DOWN"];
    return {
      kind,
      thirdpartyId: id,
      title: words.filter((word) => word !== null).join(" "),
      description: textAt(fields, "message"),
      additionalData: dataOf(fields, "device", "group", "probe", "linksensor", "lastvalue"),
    };
  },
});
