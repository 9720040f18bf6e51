// E-mail: a message as HTML and text with a link to respond, in one thread per alert and person.
import type { ChannelMessage } from "../../../domain/notifications/page.ts";
import type { Transport } from "../../../products/channel.ts";
import { mailText } from "../../../products/mail/mail.ts";
import { mailHtml } from "../../../products/mail/mail-html.tsx";
import { isMailSetUp, type Letter, mailDomain } from "../../../products/mail/mail-provider.ts";
import { sendMail } from "./mail-services.ts";
import { buildMail, threadOf } from "./message-mail.ts";

/** Renders the mail of a message. Deterministic, so that a retry is identical. */
async function renderAlertMail(
  env: Cloudflare.Env,
  to: string,
  message: ChannelMessage,
): Promise<Letter> {
  const mail = await buildMail(env, message);
  const thread = threadOf(message, mailDomain(env));
  const isUrgent = mail.tone !== "calm";
  return {
    to,
    subject: mail.subject,
    text: mailText(mail),
    html: await mailHtml(mail),
    headers: {
      "Auto-Submitted": "auto-generated",
      ...(isUrgent && { Importance: "high" }),
      ...(thread !== null && { "In-Reply-To": thread, References: thread }),
    },
  };
}

export const email: Transport = {
  channel: "email",
  isSetUp: isMailSetUp,
  send: async (env, { to }, message, id, tried) => {
    const { accountId, page } = message;
    const notification = { accountId, accountUserId: page.accountUserId, id };
    return sendMail(env, await renderAlertMail(env, to, message), id, notification, tried);
  },
};
