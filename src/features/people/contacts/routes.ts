// The route that sends the verification link of an email address again.
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { MINUTE } from "../../../domain/shared/time.ts";
import { found } from "../../../kernel/http/answers.ts";
import { onRecord, pathIdentifier } from "../../../kernel/http/records.ts";
import { route } from "../../../kernel/http/route.ts";
import { exactly } from "../../../kernel/http/shown.ts";
import { contactCard, ownNumbers } from "../channels/contact-card.ts";
import { confirmPhone } from "./confirm-phone.ts";
import type { ContactCard } from "./contract.ts";
import { MAX_LINKS_PER_ADDRESS } from "./email-rows.ts";
import { CODE_MS, MAX_CODE_ATTEMPTS, MAX_CODES_PER_NUMBER } from "./phone-code-rows.ts";
import { findConfirmablePhone } from "./phone-confirmation.ts";
import { ConfirmPhone } from "./phone-parameters.ts";
import { sendEmailLink } from "./send-email-link.ts";
import { sendPhoneCode } from "./send-phone-code.ts";

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

// The routes that confirm a telephone number by a six-digit code (contract 6, Phones), and of the
// numbers that people are called from.

function readContactCard(env: Cloudflare.Env): ContactCard {
  const numbers = ownNumbers(env);
  return { numbers, vcard: numbers.length === 0 ? null : contactCard(numbers, env.PUBLIC_URL) };
}

export const phoneRoutes = [
  route({
    method: "GET",
    path: "/phones/contact_card",
    operation: "getContactCard",
    allow: "everyone",
    summary: "Get the numbers that call you",
    description:
      "The numbers from which this deployment calls and sends SMS, with a vCard for a phone's contacts: a phone can let calls of a saved contact through silent mode. Numbers of a provider's pool are not listed.",
    shows: exactly("ContactCard"),
    handle: async ({ env }) => found(readContactCard(env)),
  }),
  route({
    method: "POST",
    path: "/phones/:id/confirm",
    operation: "confirmPhone",
    allow: "everyone",
    summary: "Confirm a telephone number",
    description: `Requires the code that was sent to the number. A code is valid for ${CODE_MS / MINUTE} minutes and ${MAX_CODE_ATTEMPTS} attempts. Allowed for the person (signed in, or with a key that they created), or for an admin while this account is the person's only one; a confirmation by an admin counts only in this account.`,
    shows: exactly("Phone"),
    refuses: ["conflict"],
    body: ConfirmPhone,
    forbids: async (request) => {
      const identifier = pathIdentifier(request, "phone");
      if (isRefusal(identifier)) return identifier;
      const phone = await findConfirmablePhone(request, identifier);
      return isRefusal(phone) ? phone : null;
    },
    handle: onRecord("phone", async (request, identifier) =>
      found(await confirmPhone(request, identifier, request.body)),
    ),
  }),
  route({
    method: "POST",
    path: "/phones/:id/send_code",
    operation: "sendPhoneCode",
    allow: "everyone",
    summary: "Send a code to a telephone number",
    description: `Sends a 6-digit code by the number's \`confirmation_method\`. Earlier codes become invalid. A number receives at most ${MAX_CODES_PER_NUMBER} codes a day.`,
    shows: exactly("Phone"),
    refuses: ["conflict"],
    handle: onRecord("phone", async (request, identifier) =>
      found(await sendPhoneCode(request, identifier)),
    ),
  }),
];
