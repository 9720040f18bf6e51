// Somebody covers a shift, or part of it: who, from, until. Whoever had it has the rest before and after.
import { isRefusal, type Refusal } from "../../domain/refusal.ts";
import { askAgain, statusAfter } from "../again.ts";
import { allOf } from "../api.ts";
import type { Duty } from "../configuration-records.ts";
import { atOf } from "../duty-form.ts";
import { readNames } from "../names.ts";
import { instantText, wallOf } from "../on-call-window.ts";
import type { Visit } from "../page.ts";
import { action, type ConsolePage, done, page, type Reply, textOf, textsOf } from "../page.ts";
import { Button, Form, FormFaults, TextField } from "../parts/form.tsx";
import { Moment } from "../parts/moment.tsx";
import { Heading, Panel } from "../parts/panel.tsx";
import { PeopleInTurn } from "../parts/people-field.tsx";
import { Everybody } from "../parts/person.tsx";
import { backToSchedule, eventPath, Occurrence } from "./event.tsx";

const FIELDS = ["start_time", "end_time", "account_user_ids", "layer"];

/** What stands in the form: what was sent, else what the address says, else the whole shift. */
function valuesOf(visit: Visit, duty: Duty, at: number, refusal: Refusal | null) {
  const { form, query, session } = visit;
  const length = Date.parse(duty.end_datetime) - Date.parse(duty.start_datetime);
  const zone = session.timeZone;
  if (refusal) {
    return {
      start: textOf(form, "start_time"),
      end: textOf(form, "end_time"),
      layer: textOf(form, "layer"),
      people: textsOf(form, "account_user_ids").filter((id) => id !== ""),
    };
  }
  const until = atOf(query.get("until") ?? "") ?? at + length;
  const from = atOf(query.get("from") ?? "") ?? at;
  const layer = String(duty.layer);
  return { start: wallOf(from, zone), end: wallOf(until, zone), layer, people: [] };
}

async function show(visit: Visit, refusal: Refusal | null = null): Promise<Reply> {
  const { api, form, query, session, now } = visit;
  const read = await allOf(api.get<Duty>(eventPath(visit)), readNames(api));
  if (isRefusal(read)) return read;
  const [duty, names] = read;
  const given = query.get("at") ?? textOf(form, "at");
  const at = atOf(given) ?? Date.parse(duty.start_datetime);
  const { start, end, layer, people } = valuesOf(visit, duty, at, refusal);
  const zone = session.timeZone;
  return {
    kind: "page",
    status: statusAfter(refusal),
    title: "Cover a shift",
    section: "schedules",
    body: (
      <div class="narrow">
        <Heading
          title="Cover a shift"
          back={{ to: backToSchedule(visit, at), label: "Calendar" }}
          lead={
            <>
              Layer {duty.layer}, the shift of <Moment at={at} zone={zone} now={now} />:{" "}
              <Everybody names={names} ids={duty.account_user_ids} />
            </>
          }
        />
        <Panel>
          <Form to={`${eventPath(visit)}/override`} session={session} kind="fields">
            <FormFaults refusal={refusal} fields={FIELDS} />
            <Occurrence visit={visit} at={at} />
            <input type="hidden" name="zone" value={zone} />
            <PeopleInTurn names={names} ids={people} label="Who covers it" refusal={refusal} />
            <div class="side-by-side">
              <TextField
                name="start_time"
                label="From"
                type="datetime-local"
                value={start}
                help={`On the clock of ${zone}.`}
                refusal={refusal}
                required
              />
              <TextField
                name="end_time"
                label="Until"
                type="datetime-local"
                value={end}
                refusal={refusal}
                required
              />
              <TextField
                name="layer"
                label="On layer"
                type="number"
                min={1}
                max={100}
                value={layer}
                refusal={refusal}
              />
            </div>
            <p class="help">
              Before and after, it stays with whom it is now: the calendar shows all three parts.
            </p>
            <div class="buttons">
              <Button>Cover it</Button>
              <a class="button plain" href={backToSchedule(visit, at)}>
                Leave it
              </a>
            </div>
          </Form>
        </Panel>
      </div>
    ),
  };
}

async function override(visit: Visit): Promise<Reply> {
  const { api, form } = visit;
  const zone = textOf(form, "zone");
  const event = await api.get<Duty>(eventPath(visit));
  if (isRefusal(event)) return event;
  const start = instantText(textOf(form, "start_time"), zone);
  const made = await api.post<Duty>(`${eventPath(visit)}/override`, {
    start_time: start,
    end_time: instantText(textOf(form, "end_time"), zone),
    layer: textOf(form, "layer"),
    time_zone: event.time_zone,
    account_user_ids: textsOf(form, "account_user_ids"),
    action_time: textOf(form, "at"),
  });
  if (isRefusal(made)) return askAgain(made, (refusal) => show(visit, refusal));
  return done(backToSchedule(visit, atOf(start)), "It is covered.");
}

export const eventOverridePages: readonly ConsolePage[] = [
  page("/events/:id/override", (visit) => show(visit)),
  action("/events/:id/override", override),
];
