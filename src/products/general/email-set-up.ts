// E-mail to an address of the integration's own.
import type { SetUp } from "../set-up.ts";
import sample from "./email-sample.json" with { type: "json" };

export const email: SetUp = {
  kind: "incoming",
  steps: [
    "Route the mail of a domain, or of a subdomain, to this service: the administrator of the deployment does this once.",
    "Send e-mails to the address below, with that domain. Anyone who knows the address can open alerts.",
    "A reply belongs to the alert of the original message, unless option group_by is subject.",
  ],
  snippets: [
    {
      title: "Address",
      format: "text",
      text: "<KEY>@alerts.example.com",
    },
  ],
  standby: "Send each e-mail to the same address at the standby's mail domain as well.",
  sample,
};
