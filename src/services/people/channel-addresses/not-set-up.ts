import type { Messenger } from "../../../channels/messengers/messenger.ts";
import { type Refusal, refuse } from "../../../domain/shared/refusal.ts";

/** Why nothing can be sent on a messenger of which the account has not what it needs. */
export const notSetUp = ({ title }: Messenger): Refusal =>
  refuse(
    "conflict",
    `this account has no enabled ${title} app integration with a token; ask an admin for it`,
  );
