// The page of a notice about shifts or gaps to one person.
import type { PageEvent } from "../../../domain/alerts/alert.ts";
import { EMPTY_RULE_VIEW, type PageMessage } from "../../../domain/notifications/page.ts";
import type { NoticeText } from "../../../domain/oncall/notices/notice-text.ts";
import type { Channel } from "../../../domain/people/contact.ts";

export type NoticePage = {
  readonly accountId: string;
  readonly accountUserId: string;
  readonly effectId: string;
  readonly event: PageEvent;
  /** Epoch ms. The same in every copy: the notification's id derives from it. */
  readonly at: number;
  /** The `prefix_id` of the record whose object waits for the confirmation. */
  readonly sender: string;
  readonly content: NoticeText;
  /** Where it is sent unless the person's rule decides; null: their usual channels. */
  readonly channels: readonly Channel[] | null;
};

/** The queue message of a notice. */
export function noticePage(notice: NoticePage): PageMessage {
  const { accountId, accountUserId, effectId, event, at, sender, content, channels } = notice;
  return {
    accountId,
    page: {
      ...{ effectId, event, accountUserId, at },
      ...{ workflowId: null, layer: null, pass: null, until: null, detail: null },
    },
    alert: null,
    notice: { schedule: sender, ...content, ...(channels && { channels }) },
    stage: 0,
    view: EMPTY_RULE_VIEW,
  };
}
