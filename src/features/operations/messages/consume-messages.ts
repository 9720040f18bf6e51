// Handles the messages of the main queue: pages, mails (welcome, access, security), delivery failures, repeated calls, the
// end of answered messages, and what proves that messages arrive. As the queue delivers them, or without it.
import { handleClose } from "../../notifications/pages/close-messages.ts";
import { consumePages } from "../../notifications/pages/pages.ts";
import { type Received, readMessages } from "../../notifications/pages/read-messages.ts";
import { handleRepeatCall } from "../../notifications/pages/repeat-calls.ts";
import { handleUnconfirmed, handleUndelivered } from "../../notifications/pages/undelivered.ts";
import { sendWelcome } from "../../people/invitations/welcomes.ts";
import { sendAccessMail } from "../../people/mails/access-mails.ts";
import { sendSecurityMail } from "../../people/mails/security-mails.ts";
import { reportProbe, reportProofs } from "../audits/arrivals.ts";
import { sendSmsProof } from "../audits/sms-proofs.ts";

/** What goes on after the messages. */
export type Later = Pick<ExecutionContext, "waitUntil">;

/** Handles messages. Pages are handled together. */
export async function consumeMessages(
  messages: readonly Message<unknown>[],
  env: Cloudflare.Env,
  later: Later,
): Promise<void> {
  const received = readMessages({ messages });
  const pages = received.filter((it) => it.kind === "page" || it.kind === "release");
  const others = received.filter((it) => it.kind !== "page" && it.kind !== "release");
  await Promise.all([
    consumePages(pages, env),
    ...others.map((it) => consumeOther(it, env, later)),
  ]);
}

/** Handles a message by itself. */
async function consumeOther(
  { kind, body, message }: Exclude<Received, { readonly kind: "page" | "release" }>,
  env: Cloudflare.Env,
  later: Later,
): Promise<void> {
  switch (kind) {
    case "welcome":
      await sendWelcome(body.welcome, env);
      break;
    case "accessMail":
      await sendAccessMail(body.accessMail, env);
      break;
    case "securityMail":
      await sendSecurityMail(body.securityMail, env);
      break;
    case "probe":
      later.waitUntil(reportProofs(body, env));
      await reportProbe(body, env);
      break;
    case "smsProof":
      await sendSmsProof(body, env);
      break;
    case "undelivered":
      return handleUndelivered(message, body, env);
    case "unconfirmed":
      return handleUnconfirmed(message, body, env);
    case "close":
      return handleClose(message, body, env);
    case "repeatCall":
      return handleRepeatCall(message, body, env);
  }
  message.ack();
}

/**
 * Handles messages that no queue delivers. Whoever sent them sends them again unless they are confirmed, as after the
 * loss of a message.
 */
export async function consumeDirectly(
  bodies: readonly unknown[],
  env: Cloudflare.Env,
  later: Later,
): Promise<void> {
  const messages = bodies.map(
    (body, at): Message<unknown> => ({
      ...{ id: `direct ${at}`, timestamp: new Date(), body, attempts: 1 },
      ack: () => undefined,
      retry: () => undefined,
    }),
  );
  await consumeMessages(messages, env, later);
}
