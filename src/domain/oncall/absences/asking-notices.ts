/** Whom an absence that asks notifies of what. Pure. */

import type { Asking, AskingStatus } from "./asking.ts";

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

export type AskingNotice = {
  readonly kind: NoticeKind;
  readonly accountUserId: string;
  /** Of an absence that asks again: when (epoch ms). Null: it asks for the first time. */
  readonly round: number | null;
};

/** Identifies a notice among those of an absence. */
export const noticeKey = ({ kind, accountUserId, round }: AskingNotice): string =>
  round === null ? `${kind}:${accountUserId}` : `${kind}:${accountUserId}:${round}`;

type Noticed = Pick<Asking, "asked"> &
  Pick<AskingNotice, "round"> & {
    readonly accountUserId: string;
    /** The status at the present time. */
    readonly status: AskingStatus;
  };

/**
 * The notices that are still to be sent, each once.
 *
 * @param sent the keys of those that were sent: who was never asked is not told that it is over
 */
export function noticesDue(
  { accountUserId, status, asked, round }: Noticed,
  sent: ReadonlySet<string>,
): readonly AskingNotice[] {
  const pending = asked.filter(({ answer }) => answer === "pending");
  const toAll = (kind: NoticeKind) =>
    pending.map((it): AskingNotice => ({ kind, accountUserId: it.accountUserId, round }));
  const wasAsked = (it: AskingNotice) => sent.has(noticeKey({ ...it, kind: "asked" }));
  const due = ((): readonly AskingNotice[] => {
    switch (status) {
      case "open":
        return toAll("asked");
      case "accepted": {
        const taker = asked.filter(({ answer }) => answer === "accepted");
        return [
          { kind: "accepted", accountUserId, round },
          ...taker.map(
            (it) => ({ kind: "confirmed", accountUserId: it.accountUserId, round }) as const,
          ),
          ...toAll("taken").filter(wasAsked),
        ];
      }
      case "declined":
      case "expired":
        return [{ kind: status, accountUserId, round }];
      case "cancelled":
        return toAll("cancelled").filter(wasAsked);
    }
  })();
  return due.filter((it) => !sent.has(noticeKey(it)));
}
