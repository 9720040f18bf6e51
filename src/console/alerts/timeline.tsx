// An alert's timeline: each entry as the alert object wrote it, with instants in the viewer's time
// zone.
import { INSTANT_IN_TEXT } from "../../domain/shared/time.ts";
import type { Log } from "../../features/alerts/alerts/contract.ts";
import { beginning, fitting, isWhole, Unfold } from "../../kernel/console/folded.tsx";
import { exactClockOf, Moment } from "../../kernel/console/moment.tsx";

type Clock = { readonly zone: string; readonly now: number };

/** Replaces the instants in a text with times. */
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

/** Newest first; a link leads to the entries that do not fit. */
export const Timeline = ({
  log,
  url,
  zone,
  now,
}: Clock & { readonly log: Log; readonly url: URL }) => {
  const room = isWhole(url, "timeline") ? Number.POSITIVE_INFINITY : ROOM_BYTES;
  const lines = log.details.sublogs.toReversed();
  const visible = fitting(lines, ({ message }) => message, room);
  const rest = lines.length - visible.length;
  return (
    <>
      <ol class="timeline" reversed start={lines.length}>
        {visible.map(({ time, level, message }) => (
          <li class={level}>
            <span class="timeline-time" title={exactClockOf(Date.parse(time), zone)}>
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
        <Unfold url={url} part="timeline">
          {`Show ${rest} earlier entries`}
        </Unfold>
      ) : null}
    </>
  );
};
