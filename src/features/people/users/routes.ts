// The routes of users: the people behind an account's account users (contract 2, Users). There is
// no deletion: deleting the account user removes a person from the account.
import { refuse } from "../../../domain/shared/refusal.ts";
import { created, found } from "../../../kernel/http/answers.ts";
import { refuseOthersInPath } from "../../../kernel/http/own-record.ts";
import { onRecord, readRoutes } from "../../../kernel/http/records.ts";
import { route, updateRoutes } from "../../../kernel/http/route.ts";
import { made, one, onlyRefusals } from "../../../kernel/http/shown.ts";
import { handleChange } from "../../change/handle-change.ts";
import { accountUsers } from "../../schema/people.ts";
import { CreateUser, UpdateUser } from "./parameters.ts";
import { userRecords } from "./rows.ts";
import { createUser, updateUser } from "./verbs.ts";

const NOT_DELETED = {
  ...refuse(
    "not_supported",
    "users are not deleted; remove them from the account with DELETE /account_users/:id",
  ),
  allow: "GET, PUT, PATCH",
};

export const userRoutes = [
  ...readRoutes("/users", "User", userRecords),
  route({
    method: "POST",
    path: "/users",
    operation: "createUser",
    allow: "admin",
    summary: "Create or invite a user",
    description: `Invites the person who has verified the primary address; otherwise creates a person and sends their first password to it. With \`invite: false\`, no e-mail is sent until \`POST /account_users/:id/invite\`. The person has to verify further addresses; until then only this account uses them.`,
    shows: made(userRecords),
    body: CreateUser,
    // The created record is the membership, whether or not the person is new.
    makes: { ...userRecords, id: accountUsers.id },
    handle: handleChange(created, (request) => createUser(request, request.recordId, request.body)),
  }),
  ...updateRoutes({
    path: "/users/:id",
    operation: "updateUser",
    allow: "everyone",
    summary: "Update a user",
    description: `Allowed for the person (signed in, or with a key that they created), or for an admin while this account is the person's only membership, including pending ones. The person is notified by e-mail. A new address has to be verified with the link that is sent to it. The last verified address cannot be removed; a replacement is added beside it.`,
    shows: one(userRecords),
    body: UpdateUser,
    forbids: refuseOthersInPath("user"),
    handle: onRecord(
      "user",
      handleChange(found, (request, identifier) => updateUser(request, identifier, request.body)),
    ),
  }),
  route({
    method: "DELETE",
    path: "/users/:id",
    operation: "deleteUser",
    allow: "everyone",
    summary: "Not supported",
    shows: onlyRefusals,
    refuses: ["not_supported"],
    handle: async () => NOT_DELETED,
  }),
];
