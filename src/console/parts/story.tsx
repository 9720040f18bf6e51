// An alert's story as a time line: each line as the alert's object wrote it, its instants on the reader's clock.
import type { Log } from "../records.ts";
import { exactClockOf, Moment } from "./moment.tsx";

const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

type Clock = { readonly zone: string; readonly now: number };

/** The text, with the instants in it as times. */
export function withTimes(text: string, clock: Clock) {
  const instants = text.match(INSTANT) ?? [];
  return text.split(INSTANT).map((piece, i) => (
    <>
      {piece}
      {instants[i] ? <Moment at={instants[i]} {...clock} /> : null}
    </>
  ));
}

export const Story = ({ log, zone, now }: Clock & { readonly log: Log }) => (
  <ol class="story" reversed>
    {log.details.sublogs.toReversed().map(({ time, level, message }) => (
      <li class={level}>
        <span class="story-time" title={exactClockOf(Date.parse(time), zone)}>
          <Moment at={time} zone={zone} now={now} exact />
        </span>
        <span>
          {level === "error" || level === "warn" ? <span class="unseen">{level}: </span> : null}
          {withTimes(message, { zone, now })}
        </span>
      </li>
    ))}
  </ol>
);
