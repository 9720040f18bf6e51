// The route that sends the verification link of an email address again.
import { found } from "../../../kernel/http/answers.ts";
import { onRecord } from "../../../kernel/http/records.ts";
import { route } from "../../../kernel/http/route.ts";
import { exactly } from "../../../kernel/http/shown.ts";
import { MAX_LINKS_PER_ADDRESS } from "./email-rows.ts";
import { sendEmailLink } from "./send-email-link.ts";

export const emailRoutes = [
  route({
    method: "POST",
    path: "/emails/:id/send_link",
    operation: "sendEmailLink",
    allow: "everyone",
    summary: "Send a verification link to an e-mail address",
    description: `Sends an e-mail with a link that verifies the address: its owner opens the link while signed in to the console. The e-mail is sent automatically when an address is added or changed; this sends it again. An address receives at most ${MAX_LINKS_PER_ADDRESS} a day. Allowed for the person (signed in, or with a key that they created), or for an admin while this account is the person's only one.`,
    shows: exactly("Email"),
    refuses: ["conflict"],
    handle: onRecord("email", async (request, identifier) =>
      found(await sendEmailLink(request, identifier)),
    ),
  }),
];
