// The calendar of a schedule. It draws the console's data and opens forms: dragging over a shift
// overrides it, dragging a shift moves it. Every change is made by a form that works without this
// script.
import {
  type Calendar,
  createCalendar,
  DayGrid,
  Interaction,
  ResourceTimeGrid,
  ResourceTimeline,
} from "@event-calendar/core";
import styles from "@event-calendar/core/index.css";
import { reportCalendarFailure } from "./calendar-failure.client.ts";

type Data = { readonly layers: readonly Layer[]; readonly events: readonly Calendar.EventInput[] };
type Layer = {
  readonly id: string;
  readonly title: string;
  /** Its series, if it has several. */
  readonly children?: readonly { readonly id: string; readonly title: string }[];
};
type Shift = { readonly event?: string; readonly at?: string; readonly layer: number };

const VIEWS: Readonly<Record<string, string>> = {
  timeline: "resourceTimelineWeek",
  weeks: "resourceTimelineWeek",
  week: "resourceTimeGridWeek",
  month: "dayGridMonth",
};

const container = document.getElementById("calendar");
const { view: viewName = "", zone: zoneName = "", may: mayChange } = container?.dataset ?? {};
const isTimeline = viewName === "timeline" || viewName === "weeks";
const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);
const shiftOf = ({ extendedProps: { event, at, layer } }: Calendar.Event): Shift => ({
  event: textOf(event),
  at: textOf(at),
  layer: Number(layer),
});
const go = (path: string, query: Record<string, string>) =>
  window.location.assign(`${path}?${new URLSearchParams(query)}`);

/** The calendar's dates carry wall-clock times of the page's zone as local times of the browser. */
const toWallClock = (date: Date) =>
  new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

/** The shift that a selection overlaps most; on a row of the time line, only that layer's. */
function shiftUnder(
  calendar: Calendar,
  start: Date,
  end: Date,
  layer: string | undefined,
): Calendar.Event | null {
  const overlap = (event: Calendar.Event) =>
    Math.min(event.end.getTime(), end.getTime()) - Math.max(event.start.getTime(), start.getTime());
  const [first] = calendar
    .getEvents()
    .filter((event) => shiftOf(event).event !== undefined && overlap(event) > 0)
    .filter((event) => layer === undefined || event.resourceIds.includes(layer))
    .sort((a, b) => overlap(b) - overlap(a) || shiftOf(a).layer - shiftOf(b).layer);
  return first ?? null;
}

/**
 * The shift's own start, or a wall-clock time of the page's zone. Not a distance from the start: the
 * clocks of the browser and of the page's zone may change at different times.
 */
const timeAt = (event: Calendar.Event, date: Date) => {
  const { at } = shiftOf(event);
  return at !== undefined && date.getTime() === event.start.getTime() ? at : toWallClock(date);
};

function open(event: Calendar.Event, schedule: string): void {
  const { event: id, at, layer } = shiftOf(event);
  if (id && at) {
    go(`/events/${id}`, { at, schedule, view: viewName });
    return;
  }
  if (mayChange !== "yes") return;
  // A gap.
  const times = { start: toWallClock(event.start), end: toWallClock(event.end) };
  go(`/schedules/${schedule}/events/new`, { ...times, layer: String(layer), zone: zoneName });
}

function overrideHours(
  calendar: Calendar,
  info: Calendar.SelectInfo,
  schedule: string,
  zone: string,
): void {
  const event = shiftUnder(calendar, info.start, info.end, info.resource?.id as string | undefined);
  if (event === null) {
    const layer = /^layer-(\d+)/.exec(String(info.resource?.id))?.[1] ?? "1";
    const times = { start: toWallClock(info.start), end: toWallClock(info.end) };
    go(`/schedules/${schedule}/events/new`, { ...times, layer, zone });
    return;
  }
  const { event: id, at } = shiftOf(event);
  const from = timeAt(event, info.start);
  go(`/events/${id}`, {
    change: "override",
    at: at ?? "",
    from: info.allDay && info.start < event.start ? (at ?? "") : from,
    until: timeAt(event, info.end),
    zone: zoneName,
    schedule,
    view: viewName,
  });
}

function move(event: Calendar.Event, old: Calendar.Event, schedule: string): void {
  const { event: id, at } = shiftOf(old);
  if (!id || !at) return;
  const start = timeAt(old, event.start);
  const end = timeAt(old, event.end);
  go(`/events/${id}`, { change: "move", at, start, end, schedule, view: viewName, zone: zoneName });
}

/**
 * The buttons above the calendar choose whether dragging overrides shifts or moves them. They are
 * disabled until then, since a click would be lost.
 */
function listenForModes(calendar: Calendar, element: HTMLElement): void {
  const bar = document.querySelector<HTMLElement>("[data-modes]");
  if (bar === null) return;
  const buttons = [...bar.querySelectorAll<HTMLButtonElement>("[data-mode]")];
  const choose = (mode: string | undefined) => {
    for (const button of buttons) {
      button.setAttribute("aria-pressed", String(button.dataset.mode === mode));
    }
    element.dataset.mode = mode;
    calendar.setOption("editable", mode === "move");
    calendar.setOption("selectable", mode === "override");
  };
  for (const button of buttons) {
    button.addEventListener("click", () => choose(button.dataset.mode));
    button.disabled = false;
  }
  choose("override");
}

/**
 * Removes the library's incomplete table roles. Screen readers use the list below the calendar
 * instead.
 */
function withoutRoles(element: HTMLElement): void {
  const attributes = [
    "aria-colindex",
    "aria-colspan",
    "aria-rowindex",
    "aria-colcount",
    "aria-rowcount",
  ];
  // It scrolls, and without shifts nothing in it takes the focus.
  element.querySelector(".ec-main")?.setAttribute("tabindex", "0");
  for (const part of element.querySelectorAll("*")) {
    // A shift is an article, which cannot be a button; its title is no heading of the page.
    if (part.getAttribute("role") !== "button" || part.tagName === "ARTICLE") {
      part.removeAttribute("role");
    }
    if (part.tagName === "H4") part.setAttribute("role", "presentation");
    for (const attribute of attributes) part.removeAttribute(attribute);
  }
}

/** Adds the layer to titles where no row or column names it. */
const withLayer = (event: Calendar.EventInput): Calendar.EventInput => ({
  ...event,
  title: `${event.extendedProps?.layer} · ${event.title}`,
});

/** Layers are always in the same order, and a gap is where its layer is. */
const byLayer = (one: Calendar.Event, other: Calendar.Event) =>
  shiftOf(one).layer - shiftOf(other).layer || one.start.getTime() - other.start.getTime();

const resourcesOf = (layers: readonly Layer[]) =>
  isTimeline ? layers : layers.map(({ children: _, ...layer }) => layer);

/** Column headers: `Mon 16 Nov` on the time line, `Mon 16` in a week, `Mon` in a month. */
const headerOf = (date: Date, view: string): string =>
  new Intl.DateTimeFormat("en-GB", {
    weekday: "short",
    ...(view !== "month" && { day: "numeric" }),
    ...(view !== "month" && view !== "week" && { month: "short" }),
  })
    .format(date)
    .replace(",", "");

/** Of a date in a browser's own time, as the calendar reads it: its weeks begin with the first day shown. */
const weekdayOf = (date: string) => new Date(`${date}T00:00:00`).getDay() as Calendar.dayOfWeek;

/** What the page has of the calendar, or else what the console answers. */
async function readData({ schedule, from, until, zone, calendar }: DOMStringMap): Promise<Data> {
  if (calendar) return JSON.parse(calendar) as Data;
  const [start, end] = [from, until].map((date) => `${date}T00:00`);
  const query = new URLSearchParams({ from: start ?? "", to: end ?? "", zone: zone ?? "" });
  const response = await fetch(`/schedules/${schedule}/calendar?${query}`);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return (await response.json()) as Data;
}

async function draw(element: HTMLElement): Promise<void> {
  const { schedule = "", from = "" } = element.dataset;
  const [view, zone, may] = [viewName, zoneName, mayChange];
  const { layers, events } = await readData(element.dataset);
  const calendar = createCalendar(
    element,
    [ResourceTimeline, ResourceTimeGrid, DayGrid, Interaction],
    {
      view: VIEWS[view] ?? "resourceTimelineWeek",
      date: `${from}T00:00:00`,
      firstDay: view === "month" ? 1 : weekdayOf(from),
      headerToolbar: { start: "", center: "", end: "" },
      resources: resourcesOf(layers) as Calendar.ResourceInput[],
      events: view === "month" ? events.map(withLayer) : [...events],
      eventOrder: byLayer,
      datesAboveResources: true,
      ...(view === "weeks" && { duration: { days: 14 } }),
      resourceLabelContent: ({ resource }: { resource: Calendar.Resource }) =>
        isTimeline ? resource.title : String(resource.extendedProps.layer),
      dayHeaderFormat: (date: Date) => headerOf(date, view),
      eventTimeFormat: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
      slotLabelFormat: { hour: "2-digit", hourCycle: "h23" },
      locale: "en-GB",
      allDaySlot: false,
      scrollTime: "00:00:00",
      slotDuration: view === "weeks" ? "12:00" : isTimeline ? "06:00" : "01:00",
      snapDuration: "00:30",
      slotWidth: 36,
      height: view === "week" ? "40rem" : "auto",
      nowIndicator: zone === Intl.DateTimeFormat().resolvedOptions().timeZone,
      selectable: may === "yes",
      eventDurationEditable: true,
      eventResizableFromStart: true,
      longPressDelay: 400,
      select: (info) => overrideHours(calendar, info, schedule, zone),
      dateClick: (info) => {
        const end = new Date(info.date.getTime() + (info.allDay ? 86_400_000 : 60_000));
        const event = shiftUnder(calendar, info.date, end, info.resource?.id as string | undefined);
        if (event) open(event, schedule);
      },
      eventClick: ({ event }) => open(event, schedule),
      eventDrop: ({ event, oldEvent }) => move(event, oldEvent, schedule),
      eventResize: ({ event, oldEvent }) => move(event, oldEvent, schedule),
    },
  );
  if (may === "yes") listenForModes(calendar, element);
  requestAnimationFrame(() => withoutRoles(element));
}

// In the script, because a style sheet of its own would be another request.
const sheet = new CSSStyleSheet();
sheet.replaceSync(styles);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

if (container) draw(container).catch(reportCalendarFailure);
