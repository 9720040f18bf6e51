// The list of all providers of mail.
import { type MailProviderName, mailProvidersOf } from "../../../domain/people/mail-provider.ts";
import { binding } from "./binding.ts";
import type { MailProvider } from "./mail-provider.ts";
import { mailgun } from "./mailgun.ts";
import { resend } from "./resend.ts";

const PROVIDERS: Record<MailProviderName, MailProvider> = { resend, mailgun, binding };

/** Those that report deliveries. */
export const reportingMailProviders: readonly MailProvider[] = [resend, mailgun];

/** The providers of mail that this deployment has, in the configured order. */
export const mailProviders = (env: Cloudflare.Env): readonly MailProvider[] =>
  mailProvidersOf(env, env.EMAIL !== undefined).map((name) => PROVIDERS[name]);
