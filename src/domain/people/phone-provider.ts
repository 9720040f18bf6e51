// Which providers of SMS and calls a deployment has. Pure: its settings are passed in.
import { orderOf } from "../alerts/providers/configured-order.ts";

type Setting = string | undefined;

/** In the order in which they are used unless the settings name another. */
export const PHONE_PROVIDERS = ["twilio"] as const;

export type PhoneProviderName = (typeof PHONE_PROVIDERS)[number];
export type PhoneChannel = "sms" | "voice";

export type PhoneSettings = {
  readonly SMS_PROVIDERS?: Setting;
  readonly VOICE_PROVIDERS?: Setting;
  readonly TWILIO_ACCOUNT_SID?: Setting;
  readonly TWILIO_AUTH_TOKEN?: Setting;
  readonly TWILIO_FROM?: Setting;
  readonly TWILIO_MESSAGING_SERVICE_SID?: Setting;
};

/** The settings that a provider needs to send on a channel, each of them one of several. */
const NEEDED: Record<
  PhoneProviderName,
  Record<PhoneChannel, readonly (readonly (keyof PhoneSettings)[])[]>
> = {
  twilio: {
    sms: [
      ["TWILIO_ACCOUNT_SID"],
      ["TWILIO_AUTH_TOKEN"],
      ["TWILIO_FROM", "TWILIO_MESSAGING_SERVICE_SID"],
    ],
    voice: [["TWILIO_ACCOUNT_SID"], ["TWILIO_AUTH_TOKEN"], ["TWILIO_FROM"]],
  },
};

/** The providers that can send on a channel, in the order of the settings. */
export function phoneProvidersOf(
  settings: PhoneSettings,
  channel: PhoneChannel,
): readonly PhoneProviderName[] {
  const order = channel === "sms" ? settings.SMS_PROVIDERS : settings.VOICE_PROVIDERS;
  return orderOf(order, PHONE_PROVIDERS).filter((name) =>
    NEEDED[name][channel].every((names) => names.some((it) => Boolean(settings[it]))),
  );
}
