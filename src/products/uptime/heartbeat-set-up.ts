// A heartbeat: no request of its creates an alert, so it has no sample.
import type { SetUp } from "../set-up.ts";

export const heartbeat: SetUp = {
  kind: "incoming",
  steps: [
    "Let the job call this URL whenever it has succeeded: <URL>",
    "The first call starts the clock. If no call follows within the interval, an alert opens; the next call resolves it.",
  ],
  snippets: [
    {
      title: "Line of a crontab",
      format: "shell",
      text: "0 3 * * * /usr/local/bin/backup && curl -fsS --retry 5 '<URL>'",
    },
  ],
  standby: "Let the job call the standby's URL as well: <STANDBY_URL>",
  sample: null,
};
