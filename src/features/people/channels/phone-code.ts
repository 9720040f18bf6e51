// Sends the code that confirms a telephone number, by SMS or voice. It is logged only in local use
// (`LOG_PAGES = "on"` without a provider).
import type { PhoneChannel } from "../../../domain/people/phone-provider.ts";
import type { Sent } from "../../../products/channel.ts";
import type { CallScript } from "../../../products/phone/provider.ts";
import { phoneProviders } from "./phone-providers.ts";
import { makeCall, sendSms } from "./send.ts";

export type CodeMethod = PhoneChannel;

/** Whether this deployment can send codes by this method. */
export function canSendCode(env: Cloudflare.Env, method: CodeMethod): boolean {
  return env.LOG_PAGES === "on" || phoneProviders(env, method).length > 0;
}

/** Sends a six-digit code to a number. Never throws. */
export async function sendCode(
  env: Cloudflare.Env,
  method: CodeMethod,
  to: string,
  code: string,
): Promise<Sent> {
  if (phoneProviders(env, method).length === 0) {
    console.log(`CODE ${code} confirms ${to}`);
    return { kind: "sent", providerId: null };
  }
  if (method === "voice") return makeCall(env, { to, script: scriptOf(code) }, null);
  const text = `${code} is your code to confirm this number in Tocsin. It is valid for 10 minutes.`;
  return sendSms(env, { to, text }, null);
}

/** Says the code twice, digit by digit. */
function scriptOf(code: string): CallScript {
  const pause = { kind: "pause", seconds: 1 } as const;
  const digits = { kind: "say", text: `${[...code].join(". ")}.` } as const;
  const say = (text: string) => ({ kind: "say", text }) as const;
  const intro = say("Hello. Your code to confirm this number in Tocsin is:");
  return [pause, intro, digits, pause, say("Again:"), digits, say("Goodbye.")];
}
