// The route that removes a person from an account (contract 2, Account users).
import { refuse } from "../../../domain/shared/refusal.ts";
import { deleted } from "../../../kernel/http/answers.ts";
import { onRecord } from "../../../kernel/http/records.ts";
import { route } from "../../../kernel/http/route.ts";
import { noBody } from "../../../kernel/http/shown.ts";
import { handleChange } from "../../change/handle-change.ts";
import { removeAccountUser } from "./remove-account-user.ts";

const NOT_A_FLAG = refuse("invalid", "erase must be true or false", "erase");

function readFlag(text: string | null): boolean | null {
  if (text === null || text === "false" || text === "0") return false;
  return text === "true" || text === "1" ? true : null;
}

const removeAnd = (options: { readonly erase: boolean }) =>
  onRecord(
    "account_user",
    handleChange(deleted, (request, identifier) => removeAccountUser(request, identifier, options)),
  );

export const removalRoutes = [
  route({
    method: "DELETE",
    path: "/account_users/:id",
    operation: "deleteAccountUser",
    allow: "admin",
    summary: "Remove a person from the account",
    description: `Ends the membership. The data that the account stored about the person is erased 30 days after
  they leave their last account, unless they return: their name in logs, timelines, comments, notifications and
  deliveries becomes \`Former member\`, addresses and numbers become \`[removed]\`. With \`erase=true\` the data is erased
  immediately; for a member of another account, only the data of this account. The erasure can also be requested after
  the removal, with the same id.`,
    query: "EraseQuery",
    previews: true,
    shows: noBody,
    refuses: ["conflict"],
    handle: async (request) => {
      const erase = readFlag(request.query.get("erase"));
      return erase === null ? NOT_A_FLAG : removeAnd({ erase })(request);
    },
  }),
];
