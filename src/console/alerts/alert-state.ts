// Which steps the status of an alert allows; the API decides.
import type { Alert } from "../../features/alerts/alerts/contract.ts";

type Stated = Pick<Alert, "status">;

/** Whether it is neither resolved nor suppressed nor waiting for its routing. */
export const isRunning = ({ status }: Stated): boolean =>
  ["open", "acknowledged", "dropped"].includes(status);

export const canAcknowledge = ({ status }: Stated): boolean =>
  ["open", "dropped", "suppressed"].includes(status);

/** Whether it is acknowledged only until an instant. */
export const isSnoozed = ({
  status,
  snoozed_until: until,
}: Pick<Alert, "status" | "snoozed_until">) => status === "acknowledged" && until !== null;

/** The status as lists show it: a snoozed alert is called so, though the API says `acknowledged`. */
export const shownStatus = (alert: Pick<Alert, "status" | "snoozed_until">): string =>
  isSnoozed(alert) ? "snoozed" : alert.status;
