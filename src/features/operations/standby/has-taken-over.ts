import type { StandbyReport } from "../../rpc.ts";

/** Whether a standby has taken over: this one, or one of a primary, as it said last. */
export const hasTakenOver = ({ role, standbys }: StandbyReport): boolean =>
  role === "active" || standbys.some(({ active }) => active);
