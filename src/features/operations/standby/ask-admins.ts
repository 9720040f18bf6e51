// A standby asks admins whether to take over or to stand down, by its own channels: each by a link and, in an SMS, a
// code that count as theirs alone, once.
import { sql } from "drizzle-orm";
import type { StandbyQuestion } from "../../../domain/operations/standby.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { all, select } from "../../../kernel/db/select.ts";
import { pagesQueue } from "../../../kernel/objects/pages-queue.ts";
import { noticePage } from "../../oncall/notices/notice-page.ts";
import { notifications } from "../../schema/alerts.ts";
import { accounts, accountUsers } from "../../schema/people.ts";

/** Who may answer: the deployment's first account is that of those who run it. */
const MAX_ADMINS = 20;

const TEXTS = {
  take_over: {
    subject: "The primary does not answer its standby. Take over?",
    text: "The primary does not answer its standby, which may not take over by itself: nobody in another network says that the primary is gone.\n\nLook whether the primary pages. If it does not, let the standby take over. Nothing happens until an admin does so.",
  },
  stand_down: {
    subject: "The standby has taken over",
    text: "The standby has taken over, and pages in place of the primary.\n\nOnce the primary answers again it stands down by itself, unless a person had it take over. If the primary pages as well, have the standby stand down.",
  },
} as const satisfies Record<StandbyQuestion["order"], object>;

const REMINDER = {
  subject: "The primary answers again. Stand down?",
  text: "The primary answers again, and the standby pages as well, since a person had it take over: people are called by both.\n\nIf the primary pages as it should, have the standby stand down. It does not do so by itself.",
};

/** Selects the admins of the first account who were not asked since the question was put last. */
const selectUnasked = ({ id, at }: StandbyQuestion) =>
  select(
    { accountId: accountUsers.accountId, accountUserId: accountUsers.id },
    sql`from ${accountUsers} where ${accountUsers.accountId} = (select min(${accounts.id}) from ${accounts})
      and ${accountUsers.admin} and ${accountUsers.state} = 'active'
      and not exists (select 1 from ${notifications}
        where ${notifications.accountId} = ${accountUsers.accountId}
          and ${notifications.accountUserId} = ${accountUsers.id} and ${notifications.ownerId} = ${id}
          and ${notifications.createdAt} >= ${at})
      order by ${accountUsers.id} limit ${MAX_ADMINS}`,
  );

/** Sends the question to those who have no notification of it. Safe to repeat: a message that is lost is sent again. */
export async function askAdmins(env: Cloudflare.Env, question: StandbyQuestion): Promise<void> {
  const { id, order, at, isReminder = false } = question;
  const admins = await all(env.DB, selectUnasked(question));
  const pages = admins.map((admin) => {
    const message = noticePage({
      ...{
        ...admin,
        at,
        event: "deployment.standby",
        content: isReminder ? REMINDER : TEXTS[order],
      },
      effectId: `${id}:${admin.accountUserId}:${at}`,
      sender: prefixIdOf("account_user", admin.accountUserId),
      channels: ["push", "email", "sms"],
    });
    return {
      body: { ...message, notice: message.notice && { ...message.notice, standby: { id, order } } },
    };
  });
  if (pages.length > 0) await pagesQueue(env).sendBatch(pages);
}
