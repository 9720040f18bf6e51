// StatusCake: a contact group with a web hook.
import type { SetUp } from "../set-up.ts";
import sample from "./statuscake-sample.json" with { type: "json" };

export const statuscake: SetUp = {
  kind: "incoming",
  steps: [
    "In StatusCake, open Alerting, Contact Groups, and edit or add one.",
    "Enter this URL as its web hook, with the method POST: <URL>",
    "Choose the contact group in your tests.",
  ],
  snippets: [],
  standby:
    "A contact group has one web hook: add a second group to the same tests, with the standby's URL: <STANDBY_URL>",
  sample,
};
