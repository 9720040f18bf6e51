// An API key.
import * as z from "zod";
import { common, flag, identifier, text } from "../../../kernel/contract/fields.ts";

export const ApiKey = z.object({
  ...common("api_key"),
  account_user_id: identifier("account_user", "The owner of the key. Default: yourself."),
  name: text("The name of the key.", "Deploy script"),
  read_only: flag("Whether the key can only read.", true),
});
export type ApiKey = z.output<typeof ApiKey>;

export const ApiKeyWithKey = ApiKey.extend({
  key: text("The key itself. It is shown only once.", "tcn_pq6T3w0rZxJ2k9vYb1sLd8hQfGm4uNcE"),
});
export type ApiKeyWithKey = z.output<typeof ApiKeyWithKey>;
