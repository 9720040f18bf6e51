import type { Api } from "../api-client.ts";
import type { Visit } from "../page.ts";

/** The calls for a change of events: one of a shift that is over can only be a correction of the past. */
export const callsFor = ({ api }: Pick<Visit, "api">, isCorrection: boolean): Api["correcting"] =>
  isCorrection ? api.correcting : api;

/** Whether a shift was over by now. */
export const isOver = ({ now }: Pick<Visit, "now">, end: string): boolean => Date.parse(end) <= now;
