// An account whose first page was sent long ago: that it was is written once, for its checklist.
import { env } from "cloudflare:workers";

export const notePageSent = (accountId: string) =>
  env.DB.prepare("update accounts set page_sent_at = 1 where id = ?").bind(accountId).run();
