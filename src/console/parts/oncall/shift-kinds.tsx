// The legend of the calendar: the marks of overrides, imported and one's own shifts, and of those instead of others.
import { SHIFT_KINDS } from "../../oncall/shift-kind.ts";
import { colourAt } from "../people/person.tsx";

export const ShiftKinds = () => (
  <ul class="shift-kinds" aria-label="Marks in the calendar">
    {[...SHIFT_KINDS, { kind: "mine", label: "Yours" }].map(({ kind, label }) => (
      <li>
        <i class={`${colourAt(0)} ${kind}`} aria-hidden="true"></i>
        {label}
      </li>
    ))}
  </ul>
);
