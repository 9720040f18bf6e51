// The signed-in person with their contact methods and notification channels.
import { isRefusal } from "../../domain/shared/refusal.ts";
import { listSessions } from "../../features/access/sessions/session.ts";
import { listUsableMessengers } from "../../features/people/channel-addresses/list-messengers.ts";
import type { Visit } from "../page.ts";
import { usableRules } from "../people/membership.tsx";
import { allByName, type ReadBy } from "../reads.ts";

/** Previews a page to this person; sends nothing. */
const previewPages = ({ api, session }: Visit) =>
  api.post("/alerts/preview", {
    title: "How would I be reached?",
    urgency: "high",
    destination_account_user_ids: [session.actor.accountUserId],
  });

export async function readMe(visit: Visit) {
  const { db, now, api, session, env } = visit;
  const { accountUserId, userId, accountId } = session.actor;
  const read = await allByName({
    person: api.get("/account_users/:id", { id: accountUserId }),
    preview: previewPages(visit),
    subscriptions: api.every("/push_subscriptions"),
    addresses: api.every("/channel_addresses"),
    chatAccounts: api.every("/chat_accounts"),
    feeds: api.every("/feeds"),
    key: api.get("/push_subscriptions/key"),
    /** The numbers that call them. */
    card: api.get("/phones/contact_card"),
    sessions: listSessions(db, userId, now),
    rules: api.every("/notification_rules"),
    /** The messaging apps that can write to them. */
    messengers: listUsableMessengers(env, db, accountId),
  });
  if (isRefusal(read)) return read;
  const { preview, feeds, key, rules, ...others } = read;
  return {
    ...others,
    /** The pages that an alert would send them now. */
    ways: preview.pages.filter(({ event }) => event === "alert.open"),
    feeds: feeds.filter(({ source_id }) => source_id === accountUserId),
    /** The VAPID public key; null if the deployment has no Web Push. */
    pushKey: key.public_key,
    /** The notification rules that they may use. */
    rules: usableRules(rules, accountUserId),
  };
}

export type Me = ReadBy<typeof readMe>;
