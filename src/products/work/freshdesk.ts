// Freshdesk and Freshservice: the webhook action of an automation, with the ticket's placeholders.
import { dataOf } from "../reading/additional-data.ts";
import { payloadAt, textAt, textsOf } from "../reading/payload.ts";
import { urgencyOfWord } from "../reading/severity.ts";
import { createSenderType, isUnassigned, readState } from "../sender-type.ts";

const PENDING = ["pending", "3"];

export const freshdesk = createSenderType({
  name: "freshdesk",
  title: "Freshdesk and Freshservice",
  description: "A webhook action of a Freshdesk automation, for tickets.",
  says: ["acknowledge", "resolve"],
  read: (fields, { options }) => {
    const ticket = payloadAt(fields, "freshdesk_webhook");
    const status = textAt(ticket, "ticket_status");
    const kind = readState("freshdesk_webhook.ticket_status", status, {
      create: ["open", "2"],
      acknowledge: isUnassigned(ticket, "ticket_agent_name") ? [] : PENDING,
      resolve: ["resolved", "4", "closed", "5"],
      ignore: [...PENDING, "Waiting on customer", "6", "Waiting on third party", "7"],
    });
    if (typeof kind !== "string") return kind;
    return {
      kind,
      thirdpartyId: textAt(ticket, "ticket_id") ?? textAt(ticket, "ticket_public_url"),
      title: textAt(ticket, "ticket_subject"),
      description: textAt(ticket, "ticket_description"),
      urgency: urgencyOfWord(textAt(ticket, "ticket_priority"), options),
      tags: textsOf(ticket.ticket_tags),
      additionalData: dataOf(ticket, "ticket_public_url", "ticket_url", "ticket_requester_name"),
    };
  },
});
