// What people do in a chat product, in the words of every product: each product's file reads its own
// requests into these. Pure.

import type { ChatPerson } from "../../domain/people/chat.ts";

/** What a person does to an alert. */
export type ChatAction =
  | { readonly kind: "acknowledge" | "reject" | "resolve" }
  | { readonly kind: "snooze"; readonly minutes: number }
  /** `destinationId`: the `prefix_id` of a team or a person. */
  | { readonly kind: "hand_off"; readonly destinationId: string };

/** For how long an alert can be snoozed from a chat (minutes), as the choice is labelled. */
export const SNOOZE_CHOICES: readonly (readonly [minutes: number, label: string])[] = [
  [30, "30 minutes"],
  [60, "1 hour"],
  [4 * 60, "4 hours"],
  [8 * 60, "8 hours"],
  [24 * 60, "1 day"],
  [7 * 24 * 60, "1 week"],
];

/** A button or a menu of an alert's message. */
export type ChatInteraction =
  | {
      readonly kind: "action";
      readonly person: ChatPerson;
      readonly alertId: string;
      readonly action: ChatAction;
      /** Where the answer for the person is sent; null: nowhere. */
      readonly replyUrl: string | null;
    }
  /** Asks for the teams and people to whom an alert can be handed off. */
  | { readonly kind: "choices"; readonly person: ChatPerson; readonly search: string }
  /** Nothing to do, such as for a button that is a link. */
  | { readonly kind: "other" };

/** A command that a person writes. */
export type ChatCommand = {
  readonly person: ChatPerson;
  readonly name: string;
  readonly text: string;
  /** The first person whom the text mentions by their id in the product; null without one. */
  readonly mentionedId: string | null;
};

/** A message in the thread of another message. */
export type ChatReply = {
  readonly person: ChatPerson;
  readonly channel: string;
  /** The message that the thread is about; null if `channel` names the thread. */
  readonly threadId: string | null;
  readonly messageId: string;
  readonly text: string;
};
