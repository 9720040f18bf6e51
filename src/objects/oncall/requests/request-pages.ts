// The notices of a request for cover as pages. Their ids and times derive from the request, so that
// a notice that is made again is the same one.
import type { NoticeRecipient } from "../../../db/oncall/notices/notice-recipient-rows.ts";
import { nameIn, type StoredRequest } from "../../../db/oncall/requests/request-rows.ts";
import type { PageMessage } from "../../../domain/alerts/notifications/page.ts";
import { noticeKey, type RequestNotice } from "../../../domain/oncall/requests/request-notices.ts";
import { type RequestContent, requestText } from "../../../domain/oncall/requests/request-text.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { noticePage } from "../notice-page.ts";

/** The page of a notice; it is in the recipient's time zone. */
export function requestPage(
  accountId: string,
  request: StoredRequest,
  notice: RequestNotice,
  { timeZone }: Pick<NoticeRecipient, "timeZone">,
): PageMessage {
  const { id, createdAt, endedAt, expiresAt } = request;
  const { kind, accountUserId } = notice;
  const isAsked = kind === "asked";
  const message = noticePage({
    ...{ accountId, accountUserId, channels: null },
    effectId: `${id}:${noticeKey(notice)}`,
    event: isAsked ? "oncall.cover_request" : "oncall.cover_answer",
    at: isAsked ? createdAt : (endedAt ?? createdAt),
    sender: prefixIdOf("cover_request", id),
    content: requestText(kind, contentOf(request), timeZone),
  });
  const answerBy = isAsked ? expiresAt : null;
  return {
    ...message,
    // Later steps of the person's rule are not sent any more.
    page: { ...message.page, until: answerBy },
    notice: message.notice && { ...message.notice, coverRequest: { id, answerBy } },
  };
}

function contentOf(request: StoredRequest): RequestContent {
  const { accountUserId, acceptedBy, hours, scheduleNames, startAt, endAt } = request;
  const { inReturn, reason, expiresAt } = request;
  return {
    ...{ inReturn, reason, expiresAt, time: { startAt, endAt } },
    requester: nameIn(request, accountUserId),
    acceptedBy: acceptedBy === null ? "" : nameIn(request, acceptedBy),
    hours: hours.map(({ scheduleIds, ...rest }) => ({
      ...rest,
      schedules: scheduleIds.flatMap((place) => scheduleNames[place] ?? []),
    })),
  };
}
