// An alert's timeline: each line as the alert's object wrote it, with instants in the reader's time zone.
import type { Log } from "../../../contract/alerts/log.ts";
import { INSTANT_IN_TEXT } from "../../../domain/shared/time.ts";
import { beginning, fitting, isWhole, Unfold } from "../shared/folded.tsx";
import { exactClockOf, Moment } from "../shared/moment.tsx";

type Clock = { readonly zone: string; readonly now: number };

/** The text, with the instants in it as times. */
export function withTimes(text: string, clock: Clock) {
  const instants = text.match(INSTANT_IN_TEXT) ?? [];
  return text.split(INSTANT_IN_TEXT).map((piece, i) => (
    <>
      {piece}
      {instants[i] ? <Moment at={instants[i]} {...clock} /> : null}
    </>
  ));
}

const ROOM_BYTES = 12_000;

/** The newest first; what has no room is a link to all of it. */
export const Story = ({
  log,
  url,
  zone,
  now,
}: Clock & { readonly log: Log; readonly url: URL }) => {
  const room = isWhole(url, "story") ? Number.POSITIVE_INFINITY : ROOM_BYTES;
  const lines = log.details.sublogs.toReversed();
  const shown = fitting(lines, ({ message }) => message, room);
  const rest = lines.length - shown.length;
  return (
    <>
      <ol class="story" reversed start={lines.length}>
        {shown.map(({ time, level, message }) => (
          <li class={level}>
            <span class="story-time" title={exactClockOf(Date.parse(time), zone)}>
              <Moment at={time} zone={zone} now={now} exact />
            </span>
            <span>
              {level === "error" || level === "warn" ? <span class="unseen">{level}: </span> : null}
              {withTimes(beginning(message, room), { zone, now })}
            </span>
          </li>
        ))}
      </ol>
      {rest > 0 ? (
        <Unfold url={url} part="story">
          {`Show ${rest} earlier entries`}
        </Unfold>
      ) : null}
    </>
  );
};
