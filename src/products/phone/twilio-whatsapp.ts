// WhatsApp through Twilio. A business may begin a conversation only with a template that WhatsApp has
// approved: it has two variables, a line and a link (https://www.twilio.com/docs/whatsapp/tutorial/send-whatsapp-notification-messages-templates,
// https://www.twilio.com/docs/content/using-variables-with-content-api: no variable is empty or has line breaks). What
// became of a message is reported like that of an SMS.
import { MESSENGER_TITLES } from "../../domain/people/messengers.ts";
import { valueAt } from "../../domain/shared/json.ts";
import { joinUrl } from "../../domain/shared/urls.ts";
import type { Sent } from "../channel.ts";
import { type Messenger, outcomeOf, type ProviderAnswer } from "../messenger.ts";
import { twilioReason } from "./twilio-api.ts";

/** The limits of the variables in characters: a message has at most 1,024 with the template's own. */
const MAX_LINE = 400;
const MAX_LINK = 450;

const variable = (text: string, most: number): string =>
  text.replace(/\s+/g, " ").trim().slice(0, most).toWellFormed();

const withScheme = (number: string): string => `whatsapp:${number}`;

function readAnswer(answer: ProviderAnswer, now: number): Sent {
  const code = Number(valueAt(answer.body, "code") ?? 0);
  const words = code > 0 ? { [answer.status]: twilioReason(code) } : {};
  const sent = outcomeOf("WhatsApp by Twilio", answer, now, valueAt(answer.body, "sid"), words);
  // The account is the deployment's.
  const isRefusal = answer.status === 401 && sent.kind === "permanent";
  return isRefusal ? { ...sent, areCredentialsRefused: true } : sent;
}

export const whatsapp: Messenger = {
  channel: "whatsapp",
  title: MESSENGER_TITLES.whatsapp,
  about: "Messages come from this deployment's WhatsApp number, with a link to respond.",
  proof: "code",
  fields: [
    {
      key: "number",
      label: "WhatsApp number",
      help: "With the country code: +14155550123.",
      required: true,
      format: {
        pattern: /^\+[1-9]\d{6,14}$/,
        fault: "must be a number with its country code, such as +14155550123",
      },
    },
  ],
  isSetUp: (env) =>
    Boolean(
      env.TWILIO_ACCOUNT_SID &&
        env.TWILIO_AUTH_TOKEN &&
        env.WHATSAPP_FROM &&
        env.WHATSAPP_CONTENT_SID,
    ),
  request: (env, { number = "" }, { title, body, url, statusUrl }) => {
    const credentials = btoa(`${env.TWILIO_ACCOUNT_SID}:${env.TWILIO_AUTH_TOKEN}`);
    const line = variable(title, MAX_LINE) || "Tocsin";
    const link = url !== null && url.length <= MAX_LINK ? url : variable(body, MAX_LINK);
    return {
      method: "POST",
      url: joinUrl(
        env.TWILIO_API || "https://api.twilio.com",
        `/2010-04-01/Accounts/${env.TWILIO_ACCOUNT_SID}/Messages.json`,
      ),
      headers: {
        Authorization: `Basic ${credentials}`,
        "Content-Type": "application/x-www-form-urlencoded",
      },
      body: new URLSearchParams({
        From: withScheme(env.WHATSAPP_FROM),
        To: withScheme(number),
        ContentSid: env.WHATSAPP_CONTENT_SID,
        ContentVariables: JSON.stringify({ 1: line, 2: link || "Open Tocsin." }),
        ...(statusUrl !== null && { StatusCallback: statusUrl }),
      }).toString(),
    };
  },
  read: readAnswer,
};
