// Browsers that a person counts on for push, but that give no sign of life: push services accept
// messages for a telephone that lies in a drawer. Pure.
import { momentText, type NoticeText } from "../oncall/notices/notice-text.ts";
import { DAY } from "../shared/time.ts";

/** A browser that is silent for this long (ms) is told to its owner. */
const UNSEEN_MS = 30 * DAY;

export type PushBrowser = {
  readonly name: string;
  /** When it last showed a push or opened the console, or else was subscribed (epoch ms). */
  readonly seenAt: number;
};

const unseenAt = ({ seenAt }: PushBrowser): number => seenAt + UNSEEN_MS;

/** When the next browser is unseen for too long after `after` (epoch ms); null if there is none. */
export function nextUnseenAt(browsers: readonly PushBrowser[], after: number): number | null {
  const later = browsers.map(unseenAt).filter((at) => at > after);
  return later.length === 0 ? null : Math.min(...later);
}

/** The browsers that are unseen for too long since an instant between `from` and `until`. */
export const newlyUnseen = <Browser extends PushBrowser>(
  browsers: readonly Browser[],
  from: number,
  until: number,
): readonly Browser[] => browsers.filter((it) => unseenAt(it) >= from && unseenAt(it) <= until);

const nameOf = ({ name }: PushBrowser) => name || "A browser without a name";

/** What their owner is told of these browsers, in the owner's time zone; null if there are none. */
export function unseenText(browsers: readonly PushBrowser[], zone: string): NoticeText | null {
  const [first] = browsers;
  if (!first) return null;
  const which = browsers.length === 1 ? nameOf(first) : `${browsers.length} of your browsers`;
  const lines = [
    "Push messages to these browsers may not reach you: they have neither shown one nor opened the console for 30 days.",
    "",
    ...browsers.map((it) => `- ${nameOf(it)}: last seen ${momentText(it.seenAt, zone)}`),
    "",
    "Open the console on such a device: it says whether push still works there. Remove browsers that you no longer use, so that nobody counts on them.",
    "",
    `Times in ${zone}.`,
  ];
  return { subject: `No push shown for 30 days: ${which}`, text: lines.join("\n") };
}
