// StatusGator: a webhook of a board.
import type { SetUp } from "../set-up.ts";
import sample from "./statusgator-sample.json" with { type: "json" };

export const statusgator: SetUp = {
  kind: "incoming",
  steps: [
    "In StatusGator, open the board's notifications and add a webhook.",
    "Enter this URL: <URL>",
    "Choose the states to send. Warnings and maintenance open alerts only with the options create_on_warn and create_on_maintenance.",
  ],
  snippets: [],
  standby:
    "Where StatusGator takes a second webhook, add one with the standby's URL and the same states: <STANDBY_URL>",
  sample,
};
