// The notices of an absence that asks, as pages. Their ids and times derive from the absence, so that
// a notice that is made again is the same one.

import type { PageMessage } from "../../../domain/notifications/page.ts";
import { type AskingNotice, noticeKey } from "../../../domain/oncall/absences/asking-notices.ts";
import { type AskingContent, askingText } from "../../../domain/oncall/absences/asking-text.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { noticePage } from "../notices/notice-page.ts";
import type { NoticeRecipient } from "../notices/notice-recipient-rows.ts";
import { type AskingAbsence, acceptedBy, nameIn } from "./stored-absences.ts";

/** The page of a notice; it is in the recipient's time zone. */
export function askingPage(
  accountId: string,
  absence: AskingAbsence,
  notice: AskingNotice,
  { timeZone }: Pick<NoticeRecipient, "timeZone">,
): PageMessage {
  const { id } = absence;
  const { askedAt, endedAt, expiresAt } = absence.asking;
  const { kind, accountUserId } = notice;
  const isAsked = kind === "asked";
  const message = noticePage({
    ...{ accountId, accountUserId, channels: null },
    effectId: `${id}:${noticeKey(notice)}`,
    event: isAsked ? "oncall.cover_request" : "oncall.cover_answer",
    at: isAsked ? askedAt : (endedAt ?? askedAt),
    sender: prefixIdOf("absence", id),
    content: askingText(kind, contentOf(absence), timeZone),
  });
  const answerBy = isAsked ? expiresAt : null;
  return {
    ...message,
    // Later steps of the person's rule are not sent any more.
    page: { ...message.page, until: answerBy },
    notice: message.notice && { ...message.notice, coverRequest: { id, answerBy } },
  };
}

function contentOf(absence: AskingAbsence): AskingContent {
  const { accountUserId, scheduleNames, startAt, endAt, reason, asking } = absence;
  const { inReturn, expiresAt } = asking;
  const taker = acceptedBy(absence);
  return {
    ...{ inReturn, reason, expiresAt, time: { startAt, endAt } },
    requester: nameIn(absence, accountUserId),
    acceptedBy: taker === null ? "" : nameIn(absence, taker),
    hours: asking.hours.map(({ scheduleIds, ...rest }) => ({
      ...rest,
      schedules: scheduleIds.flatMap((place) => scheduleNames[place] ?? []),
    })),
  };
}
