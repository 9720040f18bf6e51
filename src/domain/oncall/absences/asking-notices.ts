/** Whom a request for cover notifies of what. Pure. */

import type { RequestState, RequestStatus } from "./cover-request.ts";

const NOTICE_KINDS = [
  /** To a person who is asked. */
  "asked",
  /** To the person who asks. */
  "accepted",
  "declined",
  "expired",
  /** To the person who has accepted. */
  "confirmed",
  /** To others who were asked and have not answered: there is nothing left to answer. */
  "taken",
  "cancelled",
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

export type RequestNotice = { readonly kind: NoticeKind; readonly accountUserId: string };

/** Identifies a notice among those of a request. */
export const noticeKey = ({ kind, accountUserId }: RequestNotice): string =>
  `${kind}:${accountUserId}`;

type Noticed = Pick<RequestState, "asked"> & {
  readonly accountUserId: string;
  /** The status at the present time. */
  readonly status: RequestStatus;
};

/**
 * The notices that are still to be sent, each once.
 *
 * @param sent the keys of those that were sent: who was never asked is not told that it is over
 */
export function noticesDue(
  { accountUserId, status, asked }: Noticed,
  sent: ReadonlySet<string>,
): readonly RequestNotice[] {
  const pending = asked.filter(({ answer }) => answer === "pending");
  const toAll = (kind: NoticeKind) =>
    pending.map((it): RequestNotice => ({ kind, accountUserId: it.accountUserId }));
  const wasAsked = (it: RequestNotice) => sent.has(noticeKey({ ...it, kind: "asked" }));
  const due = ((): readonly RequestNotice[] => {
    switch (status) {
      case "open":
        return toAll("asked");
      case "accepted": {
        const taker = asked.filter(({ answer }) => answer === "accepted");
        return [
          { kind: "accepted", accountUserId },
          ...taker.map((it) => ({ kind: "confirmed", accountUserId: it.accountUserId }) as const),
          ...toAll("taken").filter(wasAsked),
        ];
      }
      case "declined":
      case "expired":
        return [{ kind: status, accountUserId }];
      case "cancelled":
        return toAll("cancelled").filter(wasAsked);
    }
  })();
  return due.filter((it) => !sent.has(noticeKey(it)));
}
