// The page of a shift, with the views of its changes, and their actions.
import { type ConsolePage, page, type Visit } from "../../page.ts";
import { showShift } from "./event.tsx";
import { eventEditActions, showEdit } from "./event-edit.tsx";
import { eventMoveActions, showMove } from "./event-move.tsx";
import { eventOverrideActions, showOverride } from "./event-override.tsx";
import type { ShiftView } from "./shift-views.tsx";

const VIEWS: Readonly<Record<ShiftView, (visit: Visit) => ReturnType<typeof showShift>>> = {
  override: (visit) => showOverride(visit),
  move: (visit) => showMove(visit),
  edit: (visit) => showEdit(visit),
};

const isChange = (text: string): text is ShiftView => Object.hasOwn(VIEWS, text);

function show(visit: Visit): ReturnType<typeof showShift> {
  const change = visit.query.get("change") ?? "";
  return isChange(change) ? VIEWS[change](visit) : showShift(visit);
}

export const eventPages: readonly ConsolePage[] = [
  page("/events/:id", show),
  ...eventEditActions,
  ...eventMoveActions,
  ...eventOverrideActions,
];
