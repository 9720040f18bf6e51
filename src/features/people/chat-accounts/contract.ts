// A person's account in a workspace of a chat product, by which they act there.
import * as z from "zod";
import { CHAT_PRODUCTS } from "../../../domain/people/chat.ts";
import { choice, common, identifier, text } from "../../../kernel/contract/fields.ts";

export const ChatAccount = z.object({
  ...common("chat_account"),
  account_user_id: identifier("account_user", "The person's membership in the account."),
  product: choice(CHAT_PRODUCTS, "The chat product.", "slack"),
  workspace_id: text("The product's id of the workspace.", "T0123456789"),
  chat_user_id: text("The product's id of the person.", "U0123456789"),
  name: text("The person's name in the product when they linked the account.", "ada"),
});
export type ChatAccount = z.output<typeof ChatAccount>;
