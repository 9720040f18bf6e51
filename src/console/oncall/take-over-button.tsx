// The button by which a member takes a shift onto themselves; what it does is shown before it is
// confirmed.
import { ActionButton } from "../../kernel/console/form.tsx";

/** The words on the button, and on the one that confirms it. */
export const TAKE_SHIFT = "Take this shift";

type TakeOverButtonProps = {
  readonly eventId: string;
  /** The start of the shift, or of the part of it. */
  readonly at: string;
  /** Where the person came from; without a schedule: On call. */
  readonly fields?: Readonly<Record<string, string>>;
};

export const TakeOverButton = ({ eventId, at, fields = {} }: TakeOverButtonProps) => (
  <ActionButton
    to={`/events/${encodeURIComponent(eventId)}/take_over`}
    label={TAKE_SHIFT}
    fields={{ ...fields, at }}
  />
);
