// Which providers of mail a deployment has. Pure: its settings are passed in.
import { orderOf } from "../notifications/configured-order.ts";

type Setting = string | undefined;

const MAIL_PROVIDERS = ["resend", "mailgun", "smtp", "binding"] as const;

export type MailProviderName = (typeof MAIL_PROVIDERS)[number];

export type MailSettings = {
  readonly EMAIL_PROVIDERS?: Setting;
  readonly RESEND_API_KEY?: Setting;
  readonly MAILGUN_API_KEY?: Setting;
  /** What is bound where an SMTP server is configured. */
  readonly SMTP?: object;
};

/**
 * The providers of mail, in the order of the settings. Unless these name it, the binding is used
 * only where there is no other: it is always there, but its domain may not be set up.
 */
export function mailProvidersOf(
  settings: MailSettings,
  hasBinding: boolean,
): readonly MailProviderName[] {
  const isThere: Record<MailProviderName, boolean> = {
    resend: Boolean(settings.RESEND_API_KEY),
    mailgun: Boolean(settings.MAILGUN_API_KEY),
    smtp: settings.SMTP !== undefined,
    binding: hasBinding,
  };
  const found = orderOf(settings.EMAIL_PROVIDERS, MAIL_PROVIDERS).filter((name) => isThere[name]);
  if (settings.EMAIL_PROVIDERS?.trim() || found.length < 2) return found;
  return found.filter((name) => name !== "binding");
}
