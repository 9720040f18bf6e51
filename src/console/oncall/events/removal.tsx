// The buttons that remove a shift: a part of it, this one, this and the following ones, or all.
import type { Child } from "hono/jsx";
import type { Event } from "../../../features/oncall/events/contract.ts";
import type { EventOccurrence } from "../../../features/oncall/occurrences/contract.ts";
import { Button, Form } from "../../../kernel/console/form.tsx";
import { dayAndClockOf } from "../../../kernel/console/moment.tsx";
import type { WithVisit } from "../../reads.ts";

/** Whether overrides leave only a part of the occurrence, or several. */
export const isSplit = (shift: EventOccurrence): boolean =>
  shift.parts > 1 ||
  shift.part_start_time !== shift.start_time ||
  shift.part_end_time !== shift.end_time;

type RemovalProps = WithVisit<{ event: Event; shift: EventOccurrence | null }>;

type RemoveShiftButtonsProps = RemovalProps & { readonly shift: EventOccurrence };

/** Removes one shift; if overrides split it, either the displayed part or all of it. */
const RemoveShiftButtons = ({ visit, event, shift }: RemoveShiftButtonsProps) => {
  const { now, session } = visit;
  const hours = (from: string, until: string) =>
    `${dayAndClockOf(from, session.timeZone, now)} – ${dayAndClockOf(until, session.timeZone, now)}`;
  return (
    <>
      {isSplit(shift) ? (
        <Button tone="danger" name="scope" value="part">
          Remove {hours(shift.part_start_time, shift.part_end_time)}
        </Button>
      ) : null}
      {event.repeat ? (
        <>
          <Button tone="danger" name="scope" value="one">
            {isSplit(shift)
              ? `Remove all of ${hours(shift.start_time, shift.end_time)} with its overrides`
              : "Remove this shift"}
          </Button>
          <Button tone="danger" name="scope" value="following">
            Remove this and following shifts
          </Button>
        </>
      ) : null}
    </>
  );
};

/** The form of the buttons; what they remove is shown before it is confirmed. */
export const Removal = ({
  to,
  hidden,
  visit,
  event,
  shift,
}: RemovalProps & {
  readonly to: string;
  /** The hidden fields that name the shift. */
  readonly hidden: Child;
}) => (
  <>
    <Form to={to}>
      {hidden}
      {shift ? <RemoveShiftButtons visit={visit} event={event} shift={shift} /> : null}
      <Button tone="danger" name="scope" value="all">
        {event.repeat ? "Remove all shifts" : "Remove shift"}
      </Button>
    </Form>
    {event.repeat && shift === null ? (
      <p class="help">
        To remove one shift, or one and the following shifts, open it in the calendar.
      </p>
    ) : null}
  </>
);
