// The calendar's data: shifts, and gaps where nobody is on call, in the time zone of the page.
import type { OnCallEntry } from "../../../contract/oncall/on-call.ts";
import { isRefusal, refuse } from "../../../domain/shared/refusal.ts";
import { parseInstant, parseWallClock } from "../../../domain/shared/time.ts";
import { isKnownZone } from "../../../domain/shared/time-zones.ts";
import { type OnCall, readOnCall, wallOf } from "../../oncall/on-call-window.ts";
import { type ConsolePage, page, type Reply, type Visit } from "../../page.ts";
import { colourOf } from "../../parts/people/person.tsx";
import { allOf } from "../../shared/api.ts";
import { type Names, readNames } from "../../shared/names.ts";

const layerOf = (layer: number) => `layer-${layer}`;

function eventOfEntry(entry: OnCallEntry, names: Names, zone: string) {
  const people = entry.attendees.map(({ attendee_id }) => attendee_id);
  return {
    id: `${entry.event_id} ${entry.start_time}`,
    resourceIds: [layerOf(entry.layer)],
    start: wallOf(Date.parse(entry.start_time), zone),
    end: wallOf(Date.parse(entry.end_time), zone),
    title: people.map(names.of).join(", "),
    classNames: ["turn", colourOf(names, people[0] ?? "")],
    extendedProps: { event: entry.event_id, at: entry.start_time, layer: entry.layer },
  };
}

function calendarOf({ turns, coverage }: OnCall, names: Names, zone: string) {
  const gaps = coverage.layers.flatMap(({ layer, gaps }) =>
    gaps.map((gap) => ({
      id: `gap ${layer} ${gap.start_time}`,
      resourceIds: [layerOf(layer)],
      start: wallOf(Date.parse(gap.start_time), zone),
      end: wallOf(Date.parse(gap.end_time), zone),
      title: `Nobody on call on layer ${layer}`,
      classNames: ["gap"],
      editable: false,
      extendedProps: { layer },
    })),
  );
  const layers = coverage.layers.map(({ layer }) => ({
    id: layerOf(layer),
    title: `Layer ${layer}`,
    extendedProps: { layer },
  }));
  return { layers, events: [...turns.map((entry) => eventOfEntry(entry, names, zone)), ...gaps] };
}

/** Parses an instant, or a wall-clock time in the zone. */
const readTime = (text: string, zone: string) =>
  parseInstant(text) ?? parseWallClock(text.replace("T", " "), zone);

async function show({ api, params, query, session }: Visit): Promise<Reply> {
  const requested = query.get("zone") ?? "";
  const zone = isKnownZone(requested) ? requested : session.timeZone;
  const from = readTime(query.get("from") ?? "", zone);
  const to = readTime(query.get("to") ?? "", zone);
  if (from === null || to === null) return refuse("malformed", "from and to must be times");
  const read = await allOf(readOnCall(api, params.id ?? "", { from, to }), readNames(api));
  if (isRefusal(read)) return read;
  const [onCall, names] = read;
  return { kind: "data", value: calendarOf(onCall, names, zone) };
}

export const calendarDataPages: readonly ConsolePage[] = [page("/schedules/:id/calendar", show)];
