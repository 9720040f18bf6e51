// Rows of security notices: one per change and address, written in the batch of the change and
// deleted once the mail is sent.
import { type SQL, sql } from "drizzle-orm";
import type { SecurityNotice, StoredNotice } from "../../../domain/access/security-notice.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { newId } from "../../../kernel/db/identifiers.ts";
import { all, select, truth } from "../../../kernel/db/select.ts";
import { accounts, securityNotices, userEmails, users } from "../../schema/people.ts";

/** Most waiting rows per person and account: a flood in one must not hide another's notices. */
const MAX_WAITING = 200;

export type NoticeContext = {
  readonly userId: string;
  /** The account in which the change was made; null if none. */
  readonly accountId: string | null;
  /** Who made the change; null if not a signed-in person. */
  readonly byUserId: string | null;
};

/**
 * Inserts a notice for each verified address. Put it before the change, to use the addresses as
 * they were. The id ends with the address's position, which keeps the rows of one notice distinct.
 */
export function insertNotice(
  { userId, accountId, byUserId }: NoticeContext,
  { kind, detail }: SecurityNotice,
  now: number,
): SQL {
  return sql`insert into ${securityNotices}
      (id, created_at, user_id, "to", kind, detail, account_id, by_user_id)
    select ${newId(now)} || '-' || row_number() over (order by id), ${now}, ${userId}, email, ${kind},
      ${detail.slice(0, 300)}, ${accountId}, ${byUserId}
    from ${userEmails}
    where user_id = ${userId} and verified_at is not null and blocked_at is null
      and (select count(*) from ${securityNotices} as waiting where waiting.user_id = ${userId}
        and waiting.account_id is ${accountId}) < ${MAX_WAITING}`;
}

/** Reads a person's waiting notices, the oldest first. */
export function readNotices(db: Connection, userId: string): Promise<readonly StoredNotice[]> {
  return all(
    db,
    select(
      {
        id: securityNotices.id,
        to: securityNotices.to,
        kind: securityNotices.kind,
        detail: securityNotices.detail,
        at: securityNotices.createdAt,
        byName: sql<string | null>`${users.name}`,
        isOwn: truth(sql`${securityNotices.byUserId} = ${securityNotices.userId}`),
        accountName: sql<string | null>`${accounts.name}`,
      },
      sql`from ${securityNotices} left join ${users} on ${users.id} = ${securityNotices.byUserId}
          left join ${accounts} on ${accounts.id} = ${securityNotices.accountId}
        where ${securityNotices.userId} = ${userId} order by ${securityNotices.id}`,
    ),
  );
}

export const deleteNotices = (ids: readonly string[]): SQL =>
  sql`delete from ${securityNotices} where id in (select value from json_each(${JSON.stringify(ids)}))`;
