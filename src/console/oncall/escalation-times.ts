// When each layer of an escalation policy is notified.
import { TIMEOUT_UNITS, timeoutMs } from "../../domain/alerts/escalation.ts";
import { SECOND } from "../../domain/shared/time.ts";

type Layer = { readonly timeout: number; readonly timeout_unit: string };

/** `1 h 05 min`, `40 s`: a time since the alert's creation. */
export function spanText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** How long a layer waits for an answer, in seconds. */
export const secondsOf = ({ timeout, timeout_unit: unit }: Layer): number =>
  timeoutMs(timeout, TIMEOUT_UNITS.find((it) => it === unit) ?? "minutes") / SECOND;
