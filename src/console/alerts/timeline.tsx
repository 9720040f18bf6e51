// An alert's timeline: each entry as the alert object wrote it, with instants in the viewer's time
// zone.

import { counted } from "../../domain/shared/counted.ts";
import { INSTANT_IN_TEXT } from "../../domain/shared/time.ts";
import type { Log } from "../../features/alerts/alerts/contract.ts";
import { beginning, fitting, Unfold, useRoom } from "../../kernel/console/folded.tsx";
import { exactClockOf, Moment } from "../../kernel/console/moment.tsx";
import { useViewer } from "../../kernel/console/viewer.tsx";
import { type Names, withNames } from "../reads.ts";

/** An instant, or an alert by its identifier. */
const LINKED = new RegExp(`(${INSTANT_IN_TEXT.source}|\\balert alt_[\\w-]{14})`, "i");

/** Replaces the instants in a text with times, and the identifiers of alerts with links. */
export const withTimes = (text: string) =>
  text.split(LINKED).map((piece, i) => {
    if (i % 2 === 0) return piece;
    const [word, id] = piece.split(" ");
    return id ? <a href={`/alerts/${id}`}>{word}</a> : <Moment at={piece} />;
  });

const ROOM_BYTES = 12_000;

/** Newest first; a link leads to the entries that do not fit. */
export const Timeline = ({ log, names }: { readonly log: Log; readonly names: Names }) => {
  const { zone } = useViewer();
  const room = useRoom("timeline", ROOM_BYTES);
  const lines = log.details.sublogs.toReversed();
  const visible = fitting(lines, ({ message }) => message, room);
  const rest = lines.length - visible.length;
  return (
    <>
      <ol class="timeline" reversed start={lines.length}>
        {visible.map(({ time, level, message }) => (
          <li class={level}>
            <span class="timeline-time" title={exactClockOf(Date.parse(time), zone)}>
              <Moment at={time} exact />
            </span>
            <span>
              {level === "error" || level === "warn" ? <span class="unseen">{level}: </span> : null}
              {withTimes(withNames(beginning(message, room), names.of))}
            </span>
          </li>
        ))}
      </ol>
      {rest > 0 ? (
        <Unfold part="timeline">{`Show ${counted(rest, "earlier entry", "earlier entries")}`}</Unfold>
      ) : null}
    </>
  );
};
