// A heartbeat: a job must call the integration's URL at least every n minutes. A missed call
// creates an alert and the next call resolves it. The inbox tracks the deadline.
import { CURL_RETRIES } from "../repeated-answers.ts";
import { createSenderType } from "../sender-type.ts";

/** The identifier of every heartbeat alert: an integration has at most one open. */
export const HEARTBEAT_ID = "heartbeat";

export const heartbeat = createSenderType({
  name: "heartbeat",
  title: "Heartbeat",
  description:
    "A job calls the URL at least once in each interval. A missed call opens an alert; the next resolves it.",
  options: [
    {
      key: "interval_minutes",
      type: "integer",
      required: true,
      default: null,
      help: "The maximum number of minutes between two calls: 1 to 44640 (31 days).",
    },
  ],
  // Its set-up calls curl.
  repeats: CURL_RETRIES,
  says: ["resolve"],
  acceptsGet: true,
  check: ({ interval_minutes: minutes }) => {
    const field = "option_interval_minutes";
    const isValid = typeof minutes !== "number" || (minutes >= 1 && minutes <= 44_640);
    return isValid ? [] : [{ field, message: `${field} must be between 1 and 44640` }];
  },
  read: () => ({ kind: "resolve", thirdpartyId: HEARTBEAT_ID, title: null }),
});
