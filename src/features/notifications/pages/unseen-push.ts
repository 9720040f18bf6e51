// Tells a person of browsers that have shown no push for 30 days, by e-mail: when it is due, and the
// message.
import type { PageMessage } from "../../../domain/notifications/page.ts";
import { newlyUnseen, nextUnseenAt, unseenText } from "../../../domain/people/unseen-push.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { all } from "../../../kernel/db/select.ts";
import { noticePage } from "../../oncall/notices/notice-page.ts";
import { selectPushBrowsers } from "../../people/push-subscriptions/seen-push-rows.ts";
import type { DigestWatch, WatchedPerson } from "../../rpc.ts";

/** When the next browser has to be told of after `after` (epoch ms); null if none. Throws if D1 does. */
export async function findNextUnseen(
  env: Cloudflare.Env,
  { id, accountId }: WatchedPerson,
  after: number,
): Promise<DigestWatch | null> {
  const at = nextUnseenAt(await all(env.DB, selectPushBrowsers(accountId, id)), after);
  return at === null ? null : { id, accountId, at };
}

/** The message about the browsers that have become due; null if they were seen since. Throws if D1 does. */
export async function unseenMessage(
  env: Cloudflare.Env,
  { id, accountId, at }: DigestWatch,
  now: number,
): Promise<PageMessage | null> {
  const due = newlyUnseen(await all(env.DB, selectPushBrowsers(accountId, id)), at, now);
  const content = unseenText(due, due[0]?.timeZone ?? "UTC");
  return (
    content &&
    noticePage({
      ...{ accountId, accountUserId: id, at, event: "account.push_unseen" },
      effectId: `${id}:push:${at}`,
      sender: prefixIdOf("account_user", id),
      content,
      channels: ["email"],
    })
  );
}
