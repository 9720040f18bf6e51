// HetrixTools: a webhook of a contact list.
import type { SetUp } from "../set-up.ts";
import sample from "./hetrixtools-sample.json" with { type: "json" };

export const hetrixtools: SetUp = {
  kind: "incoming",
  steps: [
    "In HetrixTools, open Contact Lists and edit or add one.",
    "Enter this URL as its webhook: <URL>",
    "Enter <TOKEN> as the webhook's authentication bearer.",
    "Choose the contact list in your monitors.",
  ],
  snippets: [],
  standby:
    "A contact list has one webhook: add a second list to the same monitors where they take two, with the standby's URL: <STANDBY_URL>",
  sample,
};
