// The list of all providers of SMS and calls.
import {
  type PhoneChannel,
  type PhoneProviderName,
  phoneProvidersOf,
} from "../../../domain/people/phone-provider.ts";
import type { PhoneProvider } from "../../../products/phone/provider.ts";
import { telnyx } from "../../../products/phone/telnyx.ts";
import { twilio } from "../../../products/phone/twilio.ts";
import { vonage } from "../../../products/phone/vonage.ts";

const PROVIDERS: Record<PhoneProviderName, PhoneProvider> = { twilio, vonage, telnyx };

/** All providers: each has callbacks. */
export const allPhoneProviders: readonly PhoneProvider[] = Object.values(PROVIDERS);

/** The providers by which this deployment can send on a channel, in the configured order. */
export const phoneProviders = (
  env: Cloudflare.Env,
  channel: PhoneChannel,
): readonly PhoneProvider[] => phoneProvidersOf(env, channel).map((name) => PROVIDERS[name]);
