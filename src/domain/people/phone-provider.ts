// Which providers of SMS and calls a deployment has. Pure: its settings are passed in.
import { orderOf } from "../notifications/configured-order.ts";

type Setting = string | undefined;

/** In the order in which they are used unless the settings name another. */
const PHONE_PROVIDERS = ["twilio", "vonage", "telnyx"] as const;

export type PhoneProviderName = (typeof PHONE_PROVIDERS)[number];
export type PhoneChannel = "sms" | "voice";

export type PhoneSettings = {
  readonly SMS_PROVIDERS?: Setting;
  readonly VOICE_PROVIDERS?: Setting;
  readonly TWILIO_ACCOUNT_SID?: Setting;
  readonly TWILIO_AUTH_TOKEN?: Setting;
  readonly TWILIO_FROM?: Setting;
  readonly TWILIO_MESSAGING_SERVICE_SID?: Setting;
  readonly VONAGE_API_KEY?: Setting;
  readonly VONAGE_API_SECRET?: Setting;
  readonly VONAGE_FROM?: Setting;
  readonly VONAGE_APPLICATION_ID?: Setting;
  readonly VONAGE_PRIVATE_KEY?: Setting;
  readonly VONAGE_SIGNATURE_SECRET?: Setting;
  readonly TELNYX_API_KEY?: Setting;
  readonly TELNYX_FROM?: Setting;
  readonly TELNYX_APPLICATION_ID?: Setting;
  readonly TELNYX_PUBLIC_KEY?: Setting;
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
  // A call is answered by a callback: without the means to verify it, no digit would be accepted.
  vonage: {
    sms: [["VONAGE_API_KEY"], ["VONAGE_API_SECRET"], ["VONAGE_FROM"]],
    voice: [
      ...([["VONAGE_API_KEY"], ["VONAGE_FROM"], ["VONAGE_APPLICATION_ID"]] as const),
      ...([["VONAGE_PRIVATE_KEY"], ["VONAGE_SIGNATURE_SECRET"]] as const),
    ],
  },
  telnyx: {
    sms: [["TELNYX_API_KEY"], ["TELNYX_FROM"]],
    voice: [["TELNYX_API_KEY"], ["TELNYX_FROM"], ["TELNYX_APPLICATION_ID"], ["TELNYX_PUBLIC_KEY"]],
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
