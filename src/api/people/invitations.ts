// Sends an invitation later or again, after an import without invitations or a failed email, or on
// request.
import { sql } from "drizzle-orm";
import * as z from "zod";
import {
  deleteFinishedWelcome,
  selectInvitee,
  toInvitee,
} from "../../db/people/invitation-rows.ts";
import { insertWelcome } from "../../db/people/welcome-rows.ts";
import type { RawRow } from "../../db/records/attributes.ts";
import { identified } from "../../db/records/records.ts";
import { notifications } from "../../db/schema/alerts.ts";
import { statement } from "../../db/shared/database.ts";
import { isTaken } from "../../db/shared/precondition.ts";
import { welcomeObjectName } from "../../domain/people/welcome.ts";
import { isRefusal, notFound, refuse } from "../../domain/shared/refusal.ts";
import { type Answer, found } from "../../http/answers.ts";
import { pathIdentifier, writeAndRead } from "../../http/records.ts";
import { type ApiRequest, type DeclaredRoute, route } from "../../http/route.ts";
import { one } from "../../http/shown.ts";
import { welcomeObject } from "../../objects/shared/stubs.ts";
import { accountUserRecords } from "./account-users.ts";
import { countInvitation } from "./welcome.ts";

const IN_PROGRESS = refuse("conflict", "another request is sending the invitation");
const SIGNED_IN = refuse("conflict", "the person is a member already and has signed in");

async function invite(request: ApiRequest): Promise<Answer> {
  const { env, db, actor, now } = request;
  const { accountId } = actor;
  const identifier = pathIdentifier(request, "account_user");
  if (isRefusal(identifier)) return identifier;
  const { id, accountId: owner, from } = accountUserRecords;
  const member = sql`select ${id} from ${from}
    where ${owner} = ${accountId} and ${identified(accountUserRecords, identifier)}`;
  const row = await statement(db, selectInvitee(member)).first<RawRow>();
  if (!row) return notFound("account_user");
  const invitee = toInvitee(row);
  if (invitee.isIn) return SIGNED_IN;
  const isSent = !invitee.isOnItsWay;
  const over = isSent ? await countInvitation(env, db, accountId, now) : null;
  if (over) return over;
  const welcome = { accountId, accountUserId: invitee.id };
  // The object is called first: if this worker fails before the write, it finds nothing to send.
  if (isSent) await welcomeObject(env, welcomeObjectName(welcome)).expect(welcome);
  const writes = isSent
    ? [deleteFinishedWelcome(invitee.id), insertWelcome(welcome, invitee.event, now)]
    : [];
  const record = await writeAndRead(db, writes, accountUserRecords, accountId, identifier).catch(
    (error: unknown) => {
      if (!isTaken(error, notifications)) throw error;
      return IN_PROGRESS;
    },
  );
  return isRefusal(record) ? record : found(record);
}

export const invitationRoutes: readonly DeclaredRoute[] = [
  route({
    method: "POST",
    path: "/account_users/:id/invite",
    operation: "inviteAccountUser",
    summary: "Send an invitation",
    description: `Sends an e-mail to a member who has not signed in yet: a first password, or the invitation that they have to approve. Use it for people who were added with \`invite: false\`, or to send the e-mail again. An account can send a limited number of invitations an hour (100 by default). Over the limit the response is 429, and \`Retry-After\` says when the next one can be sent.`,
    shows: one(accountUserRecords),
    refuses: ["conflict"],
    body: z.object({}),
    handle: invite,
  }),
];
