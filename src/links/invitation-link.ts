// The page of an invitation's link: an existing person approves or denies joining an account. Until
// they approve, they are not a member, and none of their data is shown.
import { eq, sql } from "drizzle-orm";
import { html } from "hono/html";
import { accountUserRecords } from "../api/people/account-users.ts";
import type { RawRow } from "../db/records/attributes.ts";
import { accounts, accountUsers } from "../db/schema/people.ts";
import { build, statement } from "../db/shared/database.ts";
import {
  deleteRecord,
  dropReassignments,
  usesOfReceiver,
} from "../services/shared/delete-record.ts";
import { type LinkPages, type LinkRequest, linkContext } from "./link-request.ts";
import { button, messagePage, type Page } from "./page.ts";

const GONE = messagePage(404, "This invitation is no longer valid", "It was denied or withdrawn.");

type Invitation = { readonly account: string; readonly state: string; readonly email: string };

async function readInvitation({ db, subject }: LinkRequest): Promise<Invitation | null> {
  const query = sql`select ${accounts.name} as account, ${accountUsers.state} as state,
      ${accountUsers.invitedEmail} as email
    from ${accountUsers} join ${accounts} on ${accounts.id} = ${accountUsers.accountId}
    where ${accountUsers.id} = ${subject.accountUserId}
      and ${accountUsers.accountId} = ${subject.accountId}`;
  const row = await statement(db, query).first<RawRow>();
  if (!row) return null;
  return { account: String(row.account), state: String(row.state), email: String(row.email ?? "") };
}

const memberPage = ({ account }: Invitation): Page =>
  messagePage(200, `You are a member of ${account}`, "You can be notified of its alerts.");

const decisionPage = ({ account, email }: Invitation): Page => ({
  status: 200,
  title: `Join ${account}?`,
  body: html`<section><h1>Join ${account}?</h1>
<p>Its members will see your name, your verified addresses and the phone numbers that you confirmed. You will be notified of its alerts.</p>
<p class="soft">The invitation is for ${email}.</p></section>
<section aria-label="Answer"><form method="post">${button("approve", "Approve", "go")}
${button("deny", "Deny", "stop")}</form></section>`,
});

async function approve({ db, subject, now }: LinkRequest): Promise<void> {
  await statement(
    db,
    build
      .update(accountUsers)
      .set({ state: "active", updatedAt: now })
      .where(
        sql`${eq(accountUsers.id, subject.accountUserId)} and ${accountUsers.state} = 'pending'`,
      ),
  ).run();
}

/** Deletes the membership; refused with 409 while the account's configuration refers to it. */
async function deny(request: LinkRequest, { account, email }: Invitation): Promise<Page> {
  const { accountId, accountUserId } = request.subject;
  const stillPending = sql`select 'approved' as message from ${accountUsers}, target
    where ${accountUsers.id} = target.id and ${accountUsers.state} <> 'pending'`;
  const identifier = { form: "id", value: accountUserId } as const;
  const reasons = [stillPending, ...usesOfReceiver(accountId)];
  const deletes = (id: string) => [
    dropReassignments(accountId, id),
    build.delete(accountUsers).where(eq(accountUsers.id, id)),
  ];
  const context = linkContext(request, email);
  const refusal = await deleteRecord(context, accountUserRecords, identifier, { reasons, deletes });
  if (refusal === null || refusal.reason === "not_found") {
    return messagePage(
      200,
      `You denied the invitation to ${account}`,
      "None of your data was shown.",
    );
  }
  return messagePage(
    409,
    "The invitation cannot be denied yet",
    `The configuration of ${account} already refers to you. Ask its admin to remove you. Until you approve, you are not notified, and none of your data is shown.`,
  );
}

export const invitationPages: LinkPages = {
  show: async (request) => {
    const invitation = await readInvitation(request);
    if (invitation === null) return GONE;
    return invitation.state === "active" ? memberPage(invitation) : decisionPage(invitation);
  },
  act: async (request, action) => {
    const invitation = await readInvitation(request);
    if (invitation === null) return GONE;
    if (invitation.state === "active") return memberPage(invitation);
    if (action === "deny") return deny(request, invitation);
    if (action !== "approve") return { ...decisionPage(invitation), status: 422 };
    await approve(request);
    const now = await readInvitation(request);
    return now?.state === "active" ? memberPage(now) : GONE;
  },
};
