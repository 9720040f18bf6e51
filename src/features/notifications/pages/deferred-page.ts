// A stored notification as the page that it was planned for.
import { EMPTY_RULE_VIEW, type PageMessage } from "../../../domain/notifications/page.ts";
import type { DeferredRow } from "./bundle-rows.ts";

export function pageMessageOf(
  accountId: string,
  accountUserId: string,
  row: DeferredRow,
): PageMessage {
  const { effectId, event, workflowId, layer, pass, at, alert } = row;
  const page = { effectId, event, accountUserId, workflowId, layer, pass, at };
  return {
    accountId,
    page: { ...page, until: null, detail: null },
    alert,
    notice: null,
    stage: 0,
    view: EMPTY_RULE_VIEW,
  };
}
