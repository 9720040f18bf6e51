// What the admins of a schedule's teams, and whoever was relieved, are told of a take-over. Pure.
import { hoursText, type NoticeText } from "./notice-text.ts";

/** A take-over, or its undo. */
export type TakeOverNotice = {
  /** The id of the change. */
  readonly id: string;
  /** When it was made (epoch ms). */
  readonly createdAt: number;
  readonly isUndo: boolean;
  /** The account user who made the change, and their name. */
  readonly authorId: string;
  readonly author: string;
  /** The account user who took over, and their name. */
  readonly takerId: string;
  readonly taker: string;
  /** The account users who were relieved, and their names. */
  readonly relievedIds: readonly string[];
  readonly relieved: readonly string[];
  readonly layer: number;
  /** Epoch ms. */
  readonly startAt: number;
  readonly endAt: number;
};

const UNDO =
  "Whoever took over and whoever was relieved can undo it in the history of the schedule.";

/** `Tom took over from Mia`. */
const takenText = ({ taker, relieved }: TakeOverNotice): string =>
  `${taker} took over from ${relieved.join(" and ")}`;

/** The notice to an admin. */
export function takeOverText(schedule: string, notice: TakeOverNotice, zone: string): NoticeText {
  const { isUndo, author, layer } = notice;
  const taken = takenText(notice);
  const what = isUndo ? `${author} undid in ${schedule} that ${taken}` : `${taken} in ${schedule}`;
  const hours = `step ${layer}: ${hoursText(notice, zone)}`;
  const lines = [`${what}.`, "", `- ${hours}`, "", ...(isUndo ? [] : [UNDO, ""])];
  return {
    subject: `${what}: ${hours}`,
    text: `${[...lines, `Times in ${zone}.`].join("\n")}\n`,
  };
}

/** What the notice to a person who was relieved says besides their hours. */
export const relievedText = (
  notices: readonly TakeOverNotice[],
  accountUserId: string,
): readonly string[] => {
  const takers = notices
    .filter(({ isUndo, relievedIds }) => !isUndo && relievedIds.includes(accountUserId))
    .map(({ taker }) => taker);
  if (takers.length === 0) return [];
  return [
    `${[...new Set(takers)].join(" and ")} took over from you. You can undo it in the history of the schedule.`,
  ];
};

/** Whom to notify of each: the admins except who made the change, and those who are told otherwise. */
export const takeOverRecipients = (
  { authorId }: TakeOverNotice,
  adminIds: readonly string[],
  toldIds: ReadonlySet<string>,
): readonly string[] => adminIds.filter((id) => id !== authorId && !toldIds.has(id));
