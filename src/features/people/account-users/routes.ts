// The routes of account users: the memberships of people in an account, with their roles and teams
// (contract 2, Account users). Their removal is with the erasure (`src/features/operations/removal`).
import { sql } from "drizzle-orm";
import { created, found } from "../../../kernel/http/answers.ts";
import { refuseOthersInPath } from "../../../kernel/http/own-record.ts";
import { onRecord, readRoutes } from "../../../kernel/http/records.ts";
import { route, updateRoutes } from "../../../kernel/http/route.ts";
import { exactly, made, one } from "../../../kernel/http/shown.ts";
import { handleChange } from "../../change/handle-change.ts";
import { referencesOf } from "./account-user-input.ts";
import { accountUserRecords } from "./account-user-records.ts";
import {
  CreateAccountUser,
  ImportAccountUsers,
  MOST_IMPORTED,
  UpdateAccountUser,
} from "./parameters.ts";
import { createAccountUser, importAccountUsers, updateAccountUser } from "./verbs.ts";

/** Whose rules a person may use depends on the person: the handler checks it. */
const ANY = sql`1`;

export const accountUserRoutes = [
  ...readRoutes("/account_users", "AccountUser", accountUserRecords),
  route({
    method: "POST",
    path: "/account_users",
    operation: "createAccountUser",
    allow: "admin",
    summary: "Add a person to the account",
    shows: made(accountUserRecords),
    body: CreateAccountUser,
    furtherChecks: (body) => ({ references: referencesOf(body) }),
    makes: accountUserRecords,
    handle: handleChange(created, (request) =>
      createAccountUser(request, request.recordId, request.body),
    ),
  }),
  route({
    method: "POST",
    path: "/account_users/import",
    operation: "importAccountUsers",
    allow: "admin",
    summary: "Add several people to the account",
    description: `Adds up to ${MOST_IMPORTED} people with the same roles and teams, and answers for each. An entry that cannot be added, because its address is invalid or the hourly limit of invitations is reached, stops no other. People who are members or invited already are left as they are: an import can be repeated.`,
    shows: exactly("AccountUserImport"),
    body: ImportAccountUsers,
    furtherChecks: (body) => ({ references: referencesOf(body) }),
    handle: async (request) => found(await importAccountUsers(request, request.body)),
  }),
  ...updateRoutes({
    path: "/account_users/:id",
    operation: "updateAccountUser",
    allow: "everyone",
    summary: "Update an account user",
    shows: one(accountUserRecords),
    body: UpdateAccountUser,
    forbids: refuseOthersInPath("account_user"),
    furtherChecks: (body) => ({ references: referencesOf(body, ANY) }),
    handle: onRecord(
      "account_user",
      handleChange(found, (request, identifier) =>
        updateAccountUser(request, identifier, request.body),
      ),
    ),
  }),
];
