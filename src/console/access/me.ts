// The signed-in person with their contact methods and notification channels.
import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import { type ListedSession, listSessions } from "../../features/access/sessions/session.ts";
import type { AlertPreviewPage } from "../../features/alerts/escalation/contract.ts";
import type { CalendarFeed } from "../../features/oncall/feeds/contract.ts";
import type { AccountUser } from "../../features/people/account-users/contract.ts";
import type { ChannelAddress } from "../../features/people/channel-addresses/contract.ts";
import {
  listUsableMessengers,
  type MessengerDescription,
} from "../../features/people/channel-addresses/list-messengers.ts";
import type { ChatAccount } from "../../features/people/chat-accounts/contract.ts";
import type { ContactCard } from "../../features/people/contacts/contract.ts";
import type { PushSubscription } from "../../features/people/push-subscriptions/contract.ts";
import type { NotificationRule } from "../../features/routing/notification-rules/contract.ts";
import type { Visit } from "../page.ts";
import { usableRules } from "../people/usable-rules.ts";
import { allOf } from "../reads.ts";

export type Me = {
  readonly person: AccountUser;
  /** The pages that an alert would send them now. */
  readonly ways: readonly AlertPreviewPage[];
  readonly subscriptions: readonly PushSubscription[];
  readonly addresses: readonly ChannelAddress[];
  readonly chatAccounts: readonly ChatAccount[];
  readonly feeds: readonly CalendarFeed[];
  /** The VAPID public key; null if the deployment has no Web Push. */
  readonly pushKey: string | null;
  /** The numbers that call them. */
  readonly card: ContactCard;
  readonly sessions: readonly ListedSession[];
  /** The notification rules that they may use. */
  readonly rules: readonly NotificationRule[];
  /** The messaging apps that can write to them. */
  readonly messengers: readonly MessengerDescription[];
};

/** Previews a page to this person; sends nothing. */
const previewPages = ({ api, session }: Visit) =>
  api.post("/alerts/preview", {
    title: "How would I be reached?",
    urgency: "high",
    destination_account_user_ids: [session.actor.accountUserId],
  });

export async function readMe(visit: Visit): Promise<Me | Refusal> {
  const { db, now, api, session, env } = visit;
  const read = await allOf(
    api.get("/account_users/:id", { id: session.actor.accountUserId }),
    previewPages(visit),
    api.every("/push_subscriptions"),
    api.every("/channel_addresses"),
    api.every("/chat_accounts"),
    api.every("/feeds"),
    api.get("/push_subscriptions/key"),
    api.get("/phones/contact_card"),
    listSessions(db, session.actor.userId, now),
    api.every("/notification_rules"),
    listUsableMessengers(env, db, session.actor.accountId),
  );
  if (isRefusal(read)) return read;
  const [person, { pages }, subscriptions, addresses, chatAccounts, feeds, key, card, ...others] =
    read;
  const [sessions, rules, messengers] = others;
  return {
    person,
    ways: pages.filter(({ event }) => event === "alert.open"),
    subscriptions,
    addresses,
    chatAccounts,
    feeds: feeds.filter(({ source_id }) => source_id === session.actor.accountUserId),
    pushKey: key.public_key,
    card,
    sessions,
    rules: usableRules(rules, session.actor.accountUserId),
    messengers,
  };
}
