// The calendar's data: shifts, and gaps where nobody is on call, in the time zone of the page.

import { parseInstant, parseWallClock } from "../../domain/shared/parse-time.ts";
import { isRefusal, refuse } from "../../domain/shared/refusal.ts";
import { isKnownZone } from "../../domain/shared/time-zones.ts";
import type { Event } from "../../features/oncall/events/contract.ts";
import type { OnCallEntry } from "../../features/oncall/on-call/contract.ts";
import type { Reply } from "../../kernel/console/reply.ts";
import { type ConsolePage, page, type Visit } from "../page.ts";
import { colourOf, withColours } from "../people/person-panels.tsx";
import { allOf, type Names, readNames } from "../reads.ts";
import { gapReason } from "./gap-reason.ts";
import { type OnCall, readOnCall, wallOf } from "./on-call-window.ts";
import { insteadText, shiftKindOf } from "./shift-kind.ts";

type Calendar = {
  readonly onCall: OnCall;
  readonly events: readonly Event[];
  readonly names: Names;
  readonly zone: string;
  /** The viewer, whose own shifts stand out. */
  readonly viewer: string;
};

/** Names in which no two people of a schedule's rotations have the same colour. */
export const withScheduleColours = (
  names: Names,
  events: readonly Event[],
  turns: readonly OnCallEntry[],
): Names =>
  withColours(names, [
    ...events.map(({ positions }) => positions.flat()),
    turns.flatMap(({ attendees }) => attendees.map(({ attendee_id }) => attendee_id)),
  ]);

const layerOf = (layer: number) => `layer-${layer}`;

/** The series that a shift belongs to. */
const seriesOf = (events: readonly Event[], id: string): string =>
  events.find((event) => event.id === id)?.series_id ?? id;

const rowOf = (layer: number, series: string) => `${layerOf(layer)} ${series}`;

function shiftOf(entry: OnCallEntry, { events, names, zone, viewer }: Calendar) {
  const people = entry.attendees.map(({ attendee_id }) => attendee_id);
  const event = events.find(({ id }) => id === entry.event_id);
  const isMine = people.includes(viewer);
  const kind = shiftKindOf(entry, event);
  const instead = insteadText(entry, names);
  const who = people.map((id) => (id === viewer ? `${names.of(id)} (you)` : names.of(id)));
  return {
    id: `${entry.event_id} ${entry.start_time}`,
    resourceIds: [layerOf(entry.layer), rowOf(entry.layer, seriesOf(events, entry.event_id))],
    start: wallOf(Date.parse(entry.start_time), zone),
    end: wallOf(Date.parse(entry.end_time), zone),
    title: instead === null ? who.join(", ") : `${who.join(", ")} · ${instead}`,
    classNames: [
      "turn",
      colourOf(names, people[0] ?? ""),
      ...(kind === null ? [] : [kind]),
      ...(isMine ? ["mine"] : []),
    ],
    extendedProps: { event: entry.event_id, at: entry.start_time, layer: entry.layer },
  };
}

const MOST_NAMES = 2;

function seriesRow(layer: number, id: string, { events, names }: Calendar) {
  const event = events.find((it) => it.id === id);
  const people = [...new Set(event?.positions.flat() ?? [])].map(names.of);
  const others = people.length - MOST_NAMES;
  const shown = people.slice(0, MOST_NAMES).join(", ");
  return {
    id: rowOf(layer, id),
    title: others > 0 ? `${shown} +${others}` : shown,
    extendedProps: { layer },
  };
}

/** A row per layer with who is on call in the end; below it its series, if there are several. */
function layerRow(layer: number, calendar: Calendar) {
  const { onCall, events } = calendar;
  const ids = onCall.turns
    .filter((entry) => entry.layer === layer)
    .map(({ event_id: id }) => seriesOf(events, id));
  const series = [...new Set(ids)].sort();
  return {
    id: layerOf(layer),
    title: `Step ${layer}`,
    extendedProps: { layer },
    ...(series.length > 1 && { children: series.map((id) => seriesRow(layer, id, calendar)) }),
  };
}

function gapsOf({ onCall, events, zone }: Calendar) {
  return onCall.coverage.layers.flatMap(({ layer, gaps }) =>
    gaps.map((gap) => {
      const [from, until] = [Date.parse(gap.start_time), Date.parse(gap.end_time)];
      return {
        id: `gap ${layer} ${gap.start_time}`,
        resourceIds: [layerOf(layer)],
        start: wallOf(from, zone),
        end: wallOf(until, zone),
        title: `Nobody on call: ${gapReason({ from, until }, layer, events)}`,
        classNames: ["gap"],
        editable: false,
        extendedProps: { layer },
      };
    }),
  );
}

export const calendarOf = (calendar: Calendar) => ({
  layers: calendar.onCall.coverage.layers.map(({ layer }) => layerRow(layer, calendar)),
  events: [...calendar.onCall.turns.map((entry) => shiftOf(entry, calendar)), ...gapsOf(calendar)],
});

const readTime = (text: string, zone: string) =>
  parseInstant(text) ?? parseWallClock(text.replace("T", " "), zone);

async function show({ api, params, query, session }: Visit): Promise<Reply> {
  const requested = query.get("zone") ?? "";
  const zone = isKnownZone(requested) ? requested : session.timeZone;
  const from = readTime(query.get("from") ?? "", zone);
  const to = readTime(query.get("to") ?? "", zone);
  if (from === null || to === null) return refuse("malformed", "from and to must be times");
  const id = params.id ?? "";
  const read = await allOf(
    readOnCall(api, id, { from, to }),
    readNames(api),
    api.every("/schedules/:id/events", { id }),
  );
  if (isRefusal(read)) return read;
  const [onCall, known, events] = read;
  const names = withScheduleColours(known, events, onCall.turns);
  const viewer = session.actor.accountUserId;
  return { kind: "data", value: calendarOf({ onCall, events, names, zone, viewer }) };
}

export const calendarDataPages: readonly ConsolePage[] = [page("/schedules/:id/calendar", show)];
