// The legend of the calendar: the marks of overrides, imported and one's own shifts, and of those instead of others.
import { colourAt } from "../people/person-panels.tsx";
import { SHIFT_KINDS } from "./shift-kind.ts";

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
