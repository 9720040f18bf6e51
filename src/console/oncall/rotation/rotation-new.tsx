// Adds a rotation to a schedule, from a template. The form is drawn by previews of the very calls
// that it makes when it is saved.
import { isRefusal, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { DAY, formatInstant } from "../../../domain/shared/time.ts";
import type { OnCallPreview } from "../../../features/oncall/on-call/contract.ts";
import { Chips } from "../../../kernel/console/filters.tsx";
import { Button, HiddenFields } from "../../../kernel/console/form.tsx";
import { faultText } from "../../../kernel/console/labels.ts";
import { dateOf } from "../../../kernel/console/moment.tsx";
import { done, type Reply, redisplayForm } from "../../../kernel/console/reply.ts";
import { fieldText, textOf, type Values } from "../../../kernel/console/values.ts";
import { action, type ConsolePage, idOf, page, pathOf, type Visit } from "../../page.ts";
import { allOf, readNames } from "../../reads.ts";
import { listedZone } from "../on-call-window.ts";
import { copiedRotation, isCopied } from "./copied-rotation.ts";
import { draftPage, editorPage, type ShownAgain } from "./editor-page.tsx";
import { HoursFields } from "./hours-fields.tsx";
import { membersOf, readPlan } from "./plan.ts";
import type { PlanNote } from "./plan-panel.tsx";
import { shiftsIn } from "./planned-shifts.ts";
import { withPositionEdit } from "./positions.ts";
import { PositionsField } from "./positions-field.tsx";
import { regionField, regionNotes } from "./regions.ts";
import {
  LayerField,
  MoreFields,
  RegionFields,
  ROTATION_PARAMETERS,
  StartField,
  TurnFields,
  ZoneField,
} from "./rotation-fields.tsx";
import { ANCHOR } from "./rotation-form.ts";
import {
  blankRotation,
  newEvents,
  type RotationTemplate,
  TEMPLATES,
  type TemplateEvent,
  templateNamed,
} from "./templates.ts";

type Plan = Awaited<ReturnType<typeof readPlan>>;

const templateOf = ({ query, form }: Visit): RotationTemplate =>
  templateNamed(query.get("template") ?? textOf(form, "template"));

/** The layer that the rotation is asked for; empty: the template's. */
const layerOf = ({ query }: Visit): string => /^\d{1,3}$/.exec(query.get("layer") ?? "")?.[0] ?? "";

/** The id of the rotation that is copied; empty: none. */
const copiedId = ({ query, form }: Visit): string => query.get("copy") ?? textOf(form, "copy");

/** The turns after the present one in which the order of a copied rotation's people is looked for. */
const TURNS_AHEAD = 3;
const LONGEST_AHEAD_MS = 300 * DAY;

/** The form of a rotation that is copied, on the next step. */
async function readCopied({ api, now }: Visit, id: string): Promise<Values | Refusal> {
  const event = await api.get("/events/:id", { id });
  if (isRefusal(event)) return event;
  const [scheduleId] = event.schedule_ids;
  if (!isCopied(event) || scheduleId === undefined) {
    return refuse("invalid", "only a rotation can be copied");
  }
  const turn = Date.parse(event.end_datetime) - Date.parse(event.start_datetime);
  const entries = await api.get("/schedules/:id/window_events", {
    id: scheduleId,
    start: formatInstant(now),
    end: formatInstant(now + Math.min(TURNS_AHEAD * turn, LONGEST_AHEAD_MS)),
  });
  return isRefusal(entries) ? entries : copiedRotation(event, entries, now);
}

async function show(visit: Visit, shown: ShownAgain | null = null): Promise<Reply> {
  const { api, session } = visit;
  const template = templateOf(visit);
  const read = await allOf(api.get("/schedules/:id", { id: idOf(visit) }), readNames(api));
  if (isRefusal(read)) return read;
  const [schedule, names] = read;
  const copied = copiedId(visit);
  const layer = layerOf(visit);
  const values =
    shown?.values ??
    (copied === ""
      ? { ...blankRotation(template, listedZone(session.timeZone)), ...(layer && { layer }) }
      : await readCopied(visit, copied));
  if (isRefusal(values)) return values;
  const refusal = shown?.refusal ?? null;
  const path = pathOf("/schedules", visit);
  const draft = `${path}/rotations/draft`;
  const fields = { values, refusal };
  const people = { ...{ names, draft, values, refusal }, members: membersOf(names, schedule.id) };
  const url = new URL(`${path}/rotations/new?template=${template.value}`, visit.url);
  if (layer) url.searchParams.set("layer", layer);
  return editorPage({
    title: copied === "" ? "Add rotation" : "Copy rotation",
    lead:
      copied === ""
        ? `${layer ? `On step ${layer}. ` : ""}${template.help}`
        : "A new rotation with the same people, turns and hours on another step. Its people are a turn ahead, so that nobody is on call on both steps at once.",
    back: { to: `/schedules/${schedule.prefix_id}`, label: schedule.name },
    above:
      copied === "" ? <Chips url={url} name="template" label="Template" chips={TEMPLATES} /> : null,
    to: `${path}/rotations`,
    draft,
    parameters: ROTATION_PARAMETERS,
    refusal,
    fields: (
      <>
        <HiddenFields
          form={{ template: template.value, copy: copied, [ANCHOR]: fieldText(values, ANCHOR) }}
        />
        {template.parts.map(([name], part) => (
          <fieldset class={name === "" ? "part" : "part group"}>
            {name === "" ? null : <legend>{name}</legend>}
            <PositionsField {...people} part={part} />
            {template.kind === "regions" ? (
              <RegionFields {...fields} part={part} />
            ) : (
              <HoursFields {...fields} part={part} />
            )}
          </fieldset>
        ))}
        <TurnFields {...fields}>
          {template.kind === "regions" ? (
            <p class="help">On the clock of the first region; the others follow.</p>
          ) : (
            <ZoneField {...fields} name="time_zone" label="Time zone" />
          )}
        </TurnFields>
        <StartField {...fields} />
        <MoreFields {...fields}>
          <LayerField
            {...fields}
            help={
              template.kind === "shifted"
                ? "Of the primary; the secondary is on the next step."
                : "Step 1 is notified first."
            }
          />
        </MoreFields>
      </>
    ),
    buttons: <Button>Add rotation</Button>,
    planned: shown?.planned ?? null,
    notes: notesOf(visit, values),
    names,
    zone: zoneOfDrawing(template, values),
  });
}

const zoneOfDrawing = ({ kind }: RotationTemplate, values: Values): string =>
  listedZone(fieldText(values, kind === "regions" ? regionField(0) : "time_zone"));

/** The hours of regions, and where they meet; none for other templates. */
function notesOf(visit: Visit, values: Values): readonly PlanNote[] {
  const template = templateOf(visit);
  if (template.kind !== "regions") return [];
  const zone = zoneOfDrawing(template, values);
  return regionNotes(values, visit.now, {
    names: template.parts.map(([name]) => name),
    zone,
    dateOf: (at) => dateOf(at, zone, visit.now),
  });
}

const hasPeople = ({ body }: TemplateEvent) =>
  Array.isArray(body.positions) && body.positions.length > 0;

/** A refusal of one of several events, with its name and without fields. */
function namedRefusal({ name }: TemplateEvent, refusal: Refusal, isOnly: boolean): Refusal {
  if (isOnly) return refusal;
  const message = refusal.errors.map((error) => faultText(error)).join(" ");
  return refuse(refusal.reason, `${name}: ${message}`);
}

/** Previews of all events, or the first refusal. */
async function previewAll(visit: Visit, scheduleId: string, events: readonly TemplateEvent[]) {
  const previews = await Promise.all(
    events.map(({ body }) =>
      visit.api.preview("POST", "/events", { ...body, schedule_ids: [scheduleId] }),
    ),
  );
  const at = previews.findIndex(isRefusal);
  const [event, refusal] = [events[at], previews[at]];
  return event && isRefusal(refusal)
    ? namedRefusal(event, refusal, events.length === 1)
    : previews.filter((it): it is OnCallPreview => !isRefusal(it));
}

const layersIn = (previews: readonly OnCallPreview[], scheduleId: string) =>
  shiftsIn(previews, scheduleId).map(({ layer }) => layer);

/** What the events would do; those without people are left out. */
async function plan(visit: Visit, values: Values): Promise<Plan> {
  const { api, now } = visit;
  const schedule = await api.get("/schedules/:id", { id: idOf(visit) });
  if (isRefusal(schedule)) return schedule;
  const events = newEvents(templateOf(visit), values, now);
  const previews = await previewAll(visit, schedule.id, events.filter(hasPeople));
  if (isRefusal(previews)) return previews;
  // Beside a copy, the layers that are there.
  const others = copiedId(visit) === "" ? [] : layersIn(previews, schedule.id);
  const own = events.map(({ body }) => Number(body.layer)).filter((layer) => layer >= 1);
  const layers = [...own, ...others];
  return readPlan(visit, schedule.id, layers, previews);
}

/** Redisplays the form after an operation on its people, and draws what it would do. */
async function draft(visit: Visit): Promise<Reply> {
  const values = withPositionEdit(visit.form, textOf(visit.form, "edit"));
  const planned = await plan(visit, values);
  const drawing = { notes: notesOf(visit, values), zone: zoneOfDrawing(templateOf(visit), values) };
  return draftPage(visit, { values, planned }, show, drawing);
}

/** Creates all events or none. */
async function create(visit: Visit): Promise<Reply> {
  const { api, form } = visit;
  const events = newEvents(templateOf(visit), form, visit.now);
  const again = (refusal: Refusal) =>
    redisplayForm(refusal, async (it) =>
      show(visit, { values: form, refusal: it, planned: await plan(visit, form) }),
    );
  if (events.length > 1) {
    const previews = await previewAll(visit, idOf(visit), events);
    if (isRefusal(previews)) return again(previews);
  }
  const made: string[] = [];
  for (const event of events) {
    const created = await api.post("/events", { ...event.body, schedule_ids: [idOf(visit)] });
    if (!isRefusal(created)) {
      made.push(created.id);
      continue;
    }
    for (const id of made) await api.delete("/events/:id", { id });
    return again(namedRefusal(event, created, events.length === 1));
  }
  const to = pathOf("/schedules", visit);
  return done(to, events.length === 1 ? "Rotation added." : `${events.length} rotations added.`);
}

export const rotationNewPages: readonly ConsolePage[] = [
  page("/schedules/:id/rotations/new", (visit) => show(visit)),
  action("/schedules/:id/rotations", create),
  action("/schedules/:id/rotations/draft", draft),
];
