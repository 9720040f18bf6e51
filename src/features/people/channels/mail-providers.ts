// The list of all providers of mail.
import { type MailProviderName, mailProvidersOf } from "../../../domain/people/mail-provider.ts";
import { binding } from "../../../products/mail/binding.ts";
import type { MailProvider } from "../../../products/mail/mail-provider.ts";
import { mailgun } from "../../../products/mail/mailgun.ts";
import { resend } from "../../../products/mail/resend.ts";
import { smtp } from "../../../products/mail/smtp.ts";

const PROVIDERS: Record<MailProviderName, MailProvider> = { resend, mailgun, smtp, binding };

/** Those that report deliveries. */
export const reportingMailProviders: readonly MailProvider[] = [resend, mailgun];

/** The providers of mail that this deployment has, in the configured order. */
export const mailProviders = (env: Cloudflare.Env): readonly MailProvider[] =>
  mailProvidersOf(env, env.EMAIL !== undefined).map((name) => PROVIDERS[name]);
