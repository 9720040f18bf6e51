// A telephone call by Twilio that reads out an alert and takes a digit: 1 acknowledges, 2 rejects.
// Only `alert.open` and reminders of shifts are sent by voice.
import type { ChannelMessage } from "../domain/alerts/notifications/page.ts";
import { hasTwilio } from "../domain/people/phone-provider.ts";
import type { Sent, Transport } from "./channel.ts";
import { callbackUrl, notificationPath, postToTwilio } from "./phone/twilio.ts";
import { gather, pause, say, twiml } from "./phone/twiml.ts";

/** How long the phone rings (seconds). */
const RING_TIMEOUT = "30";

/** Maximum length of the title that is read out, in characters: about ten seconds. */
const MAX_READ_LENGTH = 200;

const NOT_SPOKEN: Sent = { kind: "permanent", reason: "calls are for alerts and reminders only" };

/** The call's TwiML. The message is read twice, since people miss the first words of a call. */
function callScript({ alert, bundle }: ChannelMessage, action: string): string {
  const more = (bundle?.total ?? 1) - 1;
  const others = more === 0 ? "" : ` And ${more} more ${more === 1 ? "alert" : "alerts"}.`;
  const title = (alert?.title ?? "").replace(/\s+/g, " ").trim();
  const short =
    title.length > MAX_READ_LENGTH ? `${title.slice(0, MAX_READ_LENGTH)}, and more` : title;
  const exercise = alert?.exercise ? `This is a ${alert.exercise}. ` : "";
  const announcement = `${exercise}Tocsin alert, urgency ${alert?.urgency}. ${short}.${others}`;
  const which = more === 0 ? "" : " the first";
  const instructions = say(`Press 1 to acknowledge${which}, or 2 to reject${which}.`);
  const once = gather(action, say(announcement), instructions);
  return twiml(pause(1), once, once, say("No key was pressed. Goodbye."));
}

/** The TwiML of a reminder, which needs no answer. */
function reminderScript({ notice }: ChannelMessage): string {
  const once = say((notice?.subject ?? "").slice(0, MAX_READ_LENGTH));
  return twiml(pause(1), once, once, say("Goodbye."));
}

export const voice: Transport = {
  channel: "voice",
  isSetUp: (env) => hasTwilio(env) && Boolean(env.TWILIO_FROM && env.PUBLIC_URL),
  send: async (env, { to }, message, id): Promise<Sent> => {
    const { accountId, page } = message;
    const path = notificationPath({ accountId, accountUserId: page.accountUserId, id });
    const action = callbackUrl(env, `calls/${path}`);
    const status = callbackUrl(env, `status/${path}`);
    const isReminder = page.event === "oncall.shift_reminder";
    const isAlert = message.alert !== null && page.event === "alert.open";
    if (!isAlert && !isReminder) return NOT_SPOKEN;
    if (action === null || status === null) {
      return { kind: "permanent", reason: "calls need PUBLIC_URL" };
    }
    return postToTwilio(env, "Calls", {
      From: env.TWILIO_FROM,
      To: to,
      Twiml: isReminder ? reminderScript(message) : callScript(message, action),
      StatusCallback: status,
      Timeout: RING_TIMEOUT,
    });
  },
};
