// A telephone call that reads out an alert and takes a digit: 1 acknowledges, 2 passes on. Only
// `alert.open` and reminders of shifts are sent by voice.

import type { ChannelMessage } from "../../../domain/notifications/page.ts";
import { counted } from "../../../domain/shared/counted.ts";
import { hasLinks } from "../../../kernel/links.ts";
import type { Sent, Transport } from "../../../products/channel.ts";
import type { CallScript } from "../../../products/phone/provider.ts";
import { phoneProviders } from "./phone-providers.ts";
import { makeCall } from "./send.ts";

/** Maximum length of the title that is read out, in characters: about ten seconds. */
const MAX_READ_LENGTH = 200;

const NO_ADDRESS: Sent = { kind: "permanent", reason: "calls need PUBLIC_URL and LINK_SECRET" };
const NOT_SPOKEN: Sent = { kind: "permanent", reason: "calls are for alerts and reminders only" };

/** The message is read twice, since people miss the first words of a call. */
function scriptOf({ alert, bundle }: ChannelMessage): CallScript {
  const more = (bundle?.total ?? 1) - 1;
  const others = more === 0 ? "" : ` And ${counted(more, "more alert")}.`;
  const title = (alert?.title ?? "").replace(/\s+/g, " ").trim();
  const short =
    title.length > MAX_READ_LENGTH ? `${title.slice(0, MAX_READ_LENGTH)}, and more` : title;
  const exercise = alert?.exercise ? `This is a ${alert.exercise}. ` : "";
  const announcement = `${exercise}Tocsin alert, urgency ${alert?.urgency}. ${short}.${others}`;
  const which = more === 0 ? "" : " the first";
  const instructions = `Press 1 to acknowledge${which}, or 2 to pass on${which}.`;
  const once = { kind: "ask", texts: [announcement, instructions] } as const;
  const end = { kind: "say", text: "No key was pressed. Goodbye." } as const;
  return [{ kind: "pause", seconds: 1 }, once, once, end];
}

/** A reminder needs no answer. */
function reminderScript({ notice }: ChannelMessage): CallScript {
  const text = (notice?.subject ?? "").slice(0, MAX_READ_LENGTH);
  const once = { kind: "say", text } as const;
  return [{ kind: "pause", seconds: 1 }, once, once, { kind: "say", text: "Goodbye." }];
}

export const voice: Transport = {
  channel: "voice",
  isSetUp: (env) => hasLinks(env) && phoneProviders(env, "voice").length > 0,
  send: async (env, { to }, message, id, tried): Promise<Sent> => {
    const { accountId, page } = message;
    const isReminder = page.event === "oncall.shift_reminder";
    const isAlert = message.alert !== null && page.event === "alert.open";
    if (!isAlert && !isReminder) return NOT_SPOKEN;
    if (!hasLinks(env)) return NO_ADDRESS;
    const script = isReminder ? reminderScript(message) : scriptOf(message);
    const notification = { accountId, accountUserId: page.accountUserId, id };
    return makeCall(env, { to, script }, notification, tried);
  },
};
