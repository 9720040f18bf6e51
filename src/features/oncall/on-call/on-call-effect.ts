// The effect of a change on who is on call, for whoever commits or previews it.
import type { OnCallEffect, Unwritten } from "../../change/change.ts";
import { pastOfChange, pastWrites } from "../events/past-of-change.ts";
import {
  emptyPreview,
  type PreviewedChange,
  previewOnCallChange,
} from "./preview-on-call-change.ts";

/** The effect of a change of events, or of absences. */
export const effectOf = (onCall: PreviewedChange): OnCallEffect => ({
  serving: onCall,
  eventIds: [...onCall.replacedIds, ...onCall.events.map(({ id }) => id)],
  keepPast: async (context, change, entryId) => {
    const past = await pastOfChange(context, onCall, change);
    return pastWrites(context, past, change, entryId);
  },
  preview: (context, change) => previewOnCallChange(context, onCall, change),
});

/** The effect of what changes nobody's shifts. */
export const NO_EFFECT: OnCallEffect = {
  serving: { replacedIds: [], events: [], schedulesAfter: [] },
  eventIds: [],
  keepPast: async (_context, { writes }) => writes,
  preview: async ({ now }) => emptyPreview(now),
};

/** The decision that nothing is to be changed. */
export const unchanged = <Answer>(answer: Answer): Unwritten<Answer> => ({
  effect: async () => NO_EFFECT,
  answer: () => answer,
});
