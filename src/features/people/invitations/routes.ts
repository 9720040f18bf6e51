// The route that sends an invitation later or again.
import * as z from "zod";
import { found } from "../../../kernel/http/answers.ts";
import { onRecord } from "../../../kernel/http/records.ts";
import { route } from "../../../kernel/http/route.ts";
import { one } from "../../../kernel/http/shown.ts";
import { accountUserRecords } from "../account-users/account-user-records.ts";
import { inviteAccountUser } from "./invite-account-user.ts";

export const invitationRoutes = [
  route({
    method: "POST",
    path: "/account_users/:id/invite",
    operation: "inviteAccountUser",
    allow: "admin",
    summary: "Send an invitation",
    description: `Sends an e-mail to a member who has not signed in yet: a first password, or the invitation that they have to approve. Use it for people who were added with \`invite: false\`, or to send the e-mail again. An account can send a limited number of invitations an hour (100 by default). Over the limit the response is 429, and \`Retry-After\` says when the next one can be sent.`,
    shows: one(accountUserRecords),
    refuses: ["conflict"],
    body: z.object({}),
    handle: onRecord("account_user", async (request, identifier) =>
      found(await inviteAccountUser(request, identifier)),
    ),
  }),
];
