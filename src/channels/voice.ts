// A telephone call by Twilio that reads an alert and takes a digit for an answer: 1 acknowledges, 2 rejects. For
// alerts that ask somebody, and nothing else.
import type { ChannelMessage } from "../domain/alerts/notifications/page.ts";
import type { Sent, Transport } from "./channel.ts";
import { callbackUrl, hasTwilio, postToTwilio } from "./phone/twilio.ts";
import { gather, pause, say, twiml } from "./phone/twiml.ts";

/** How long it rings (seconds). */
const RINGS_FOR = "30";

/** What is read aloud of a title: some ten seconds. */
const MOST_READ = 200;

const ONLY_ALERTS: Sent = { kind: "permanent", reason: "calls are for alerts only" };

/** What the call says, and how it is answered; said twice, since nobody listens to the first words. */
function callScript({ alert, bundle }: ChannelMessage, action: string): string {
  const more = (bundle?.total ?? 1) - 1;
  const others = more === 0 ? "" : ` And ${more} more ${more === 1 ? "alert" : "alerts"}.`;
  const title = (alert?.title ?? "").replace(/\s+/g, " ").trim();
  const short = title.length > MOST_READ ? `${title.slice(0, MOST_READ)}, and more` : title;
  const told = `Tocsin alert, urgency ${alert?.urgency}. ${short}.${others}`;
  const which = more === 0 ? "" : " the first";
  const asked = say(`Press 1 to acknowledge${which}, or 2 to reject${which}.`);
  const once = gather(action, say(told), asked);
  return twiml(pause(1), once, once, say("No key was pressed. Goodbye."));
}

export const voice: Transport = {
  channel: "voice",
  isSetUp: (env) => hasTwilio(env) && Boolean(env.TWILIO_FROM && env.PUBLIC_URL),
  send: async (env, { to }, message, id): Promise<Sent> => {
    const action = callbackUrl(env, `calls/${id}`);
    const status = callbackUrl(env, `status/${id}`);
    if (message.alert === null || message.page.event !== "alert.open") return ONLY_ALERTS;
    if (action === null || status === null) {
      return { kind: "permanent", reason: "calls need PUBLIC_URL" };
    }
    return postToTwilio(env, "Calls", {
      From: env.TWILIO_FROM,
      To: to,
      Twiml: callScript(message, action),
      StatusCallback: status,
      Timeout: RINGS_FOR,
    });
  },
};
