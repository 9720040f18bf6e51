// Sends the code that confirms a telephone number, by SMS or voice. It is logged only in local use
// (`LOG_PAGES = "on"` without Twilio).

import { hasTwilio } from "../../domain/people/phone-provider.ts";
import type { Sent } from "../channel.ts";
import { senderOfSms } from "../sms.ts";
import { postToTwilio } from "./twilio.ts";
import { pause, say, twiml } from "./twiml.ts";

export type CodeMethod = "sms" | "voice";

/** Whether this deployment can send codes by this method. */
export function canSendCode(env: Cloudflare.Env, method: CodeMethod): boolean {
  if (env.LOG_PAGES === "on") return true;
  return hasTwilio(env) && (method === "sms" || Boolean(env.TWILIO_FROM));
}

/** Sends a six-digit code to a number. Never throws. */
export async function sendCode(
  env: Cloudflare.Env,
  method: CodeMethod,
  number: string,
  code: string,
): Promise<Sent> {
  if (!hasTwilio(env)) {
    console.log(`CODE ${code} confirms ${number}`);
    return { kind: "sent", providerId: null };
  }
  if (method === "sms") {
    const Body = `${code} is your code to confirm this number in Tocsin. It is valid for 10 minutes.`;
    return postToTwilio(env, "Messages", { ...senderOfSms(env), To: number, Body });
  }
  const digits = say(`${[...code].join(". ")}.`);
  const intro = [say("Hello. Your code to confirm this number in Tocsin is:"), digits, pause(1)];
  const Twiml = twiml(pause(1), ...intro, say("Again:"), digits, say("Goodbye."));
  return postToTwilio(env, "Calls", { From: env.TWILIO_FROM, To: number, Twiml });
}
