// Asks for cover of a shift of the viewer: the form, and what would change, before anybody is asked.
import type { OnCallPreview } from "../../../../contract/oncall/on-call-preview.ts";
import { isRefusal, type Refusal } from "../../../../domain/shared/refusal.ts";
import { DAY, formatInstant, HOUR } from "../../../../domain/shared/time.ts";
import { FieldsForm } from "../../../forms/form-fields.tsx";
import {
  EVERYONE,
  REQUEST_FORM,
  requestBodyOf,
  returnChoices,
} from "../../../oncall/request-form.ts";
import { action, type ConsolePage, page, type Reply, type Visit } from "../../../page.ts";
import {
  PreviewedChanges,
  previewedChangesText,
} from "../../../parts/oncall/changes/previewed-changes.tsx";
import { Button, Form, HiddenFields, SelectField } from "../../../parts/shared/form.tsx";
import { Heading, Notice, Panel } from "../../../parts/shared/panel.tsx";
import { allOf } from "../../../shared/api.ts";
import { readNames } from "../../../shared/names.ts";
import { done, redisplayForm, statusAfter } from "../../../shared/replies.ts";
import { textOf, type Values } from "../../../shared/values.ts";
import { confirmsChanges } from "../changes/confirm-changes.tsx";

const MY_SHIFTS = { to: "/on-call/mine", label: "My shifts" };
const AHEAD_DAYS = 60;

/** What a link to the form names; a shift that has begun is given away from the next hour on. */
function blankOf({ query, now }: Visit): Values {
  const start = Date.parse(query.get("start") ?? "");
  const next = Math.ceil((now + 1) / HOUR) * HOUR;
  return {
    start_datetime: formatInstant(Math.max(Number.isFinite(start) ? start : next, next)),
    end_datetime: query.get("end") ?? formatInstant(next + DAY),
    event: query.get("event") ?? "",
    schedule: query.get("schedule") ?? "",
    account_user_id: EVERYONE,
  };
}

async function showNew(visit: Visit, refusal: Refusal | null = null): Promise<Reply> {
  const { api, session, form } = visit;
  const { accountUserId: viewer } = session.actor;
  const entered = refusal ? form : blankOf(visit);
  const eventId = textOf(entered, "event");
  const read = await allOf(
    readNames(api),
    api.every("/schedules"),
    // Also of a person who has just been taken off the shift: then nobody else is offered.
    api.get("/events/:id", { id: eventId }).then((event) => (isRefusal(event) ? null : event)),
  );
  if (isRefusal(read)) return read;
  const [names, schedules, event] = read;
  const rotation = (event?.account_user_ids ?? []).filter((id) => id !== null && id !== viewer);
  const scheduleId = textOf(entered, "schedule");
  const schedule = schedules.find(({ id }) => id === scheduleId);
  const zone = session.timeZone;
  const state = {
    ...{ values: { ...entered, zone }, refusal: withAskedFaults(refusal), names, zone, viewer },
    rotation: rotation.filter((id) => id !== null),
  };
  const body = (
    <div class="narrow">
      <Heading
        title="Ask for cover"
        back={MY_SHIFTS}
        lead={`${schedule ? `${schedule.name}. ` : ""}You see what changes before anybody is asked. All times in ${zone}`}
      />
      <Panel>
        <FieldsForm
          to="/cover_requests"
          session={session}
          form={REQUEST_FORM}
          state={state}
          hidden={
            <>
              <input type="hidden" name="event" value={eventId} />
              <input type="hidden" name="schedule" value={scheduleId} />
            </>
          }
        >
          <Button>Show changes</Button>
        </FieldsForm>
      </Panel>
    </div>
  );
  const status = statusAfter(refusal);
  return { kind: "page", status, title: "Ask for cover", section: "on-call", body };
}

/** The errors of who is asked at the one field for it. */
const withAskedFaults = (refusal: Refusal | null): Refusal | null =>
  refusal && {
    ...refusal,
    errors: refusal.errors.map((error) =>
      error.field === "account_user_ids" || error.field === "event_id"
        ? { ...error, field: "account_user_id" }
        : error,
    ),
  };

async function confirm(visit: Visit, preview: OnCallPreview): Promise<Reply> {
  const { api, session, now, form } = visit;
  const zone = session.timeZone;
  const window = { start: formatInstant(now), end: formatInstant(now + AHEAD_DAYS * DAY) };
  const read = await allOf(readNames(api), api.every("/schedules"), api.get("/oncall", window));
  if (isRefusal(read)) return read;
  const [names, schedules, teams] = read;
  const asked = textOf(form, "account_user_id");
  const isEveryone = asked === EVERYONE;
  const shifts = isEveryone
    ? []
    : returnChoices(teams, { person: asked, schedule: textOf(form, "schedule") }, { zone, now });
  const { in_return: inReturn, ...others } = form;
  return {
    kind: "page",
    title: "Send request",
    section: "on-call",
    body: (
      <div class="narrow">
        <Heading title="Send request" back={MY_SHIFTS} lead={`All times in ${zone}`} />
        <Panel>
          {isEveryone ? (
            <Notice tone="neutral">
              Everyone in the rotation is asked. This is what changes if the first of them accepts.
            </Notice>
          ) : (
            <p>{`If ${names.of(asked)} accepts:`}</p>
          )}
          <PreviewedChanges {...{ preview, schedules, names, clock: { zone, now } }} />
          <Form to="/cover_requests" session={session} kind="fields">
            <HiddenFields form={others} />
            {shifts.length === 0 ? null : (
              <SelectField
                name="in_return"
                label={`Shift of ${names.of(asked)} that you take in return`}
                help="A swap. What it changes is shown before it is sent."
                choices={[{ value: "", label: "None" }, ...shifts]}
                value={typeof inReturn === "string" ? inReturn : ""}
              />
            )}
            <input type="hidden" name="confirmed" value={previewedChangesText(preview, now)} />
            <div class="buttons">
              <Button>Send request</Button>
              <a class="button plain" href={MY_SHIFTS.to}>
                Cancel
              </a>
            </div>
          </Form>
        </Panel>
      </div>
    ),
  };
}

async function create(visit: Visit): Promise<Reply> {
  const { api, form, session } = visit;
  const body = requestBodyOf(form, session.timeZone);
  const again = (refusal: Refusal) => redisplayForm(refusal, (why) => showNew(visit, why));
  const preview = await api.preview("POST", "/cover_requests", body);
  if (isRefusal(preview)) return again(preview);
  if (!confirmsChanges(visit, preview)) return confirm(visit, preview);
  const made = await api.post("/cover_requests", body);
  return isRefusal(made) ? again(made) : done("/on-call/mine", "Request sent.");
}

export const requestNewPages: readonly ConsolePage[] = [
  page("/cover_requests/new", (visit) => showNew(visit)),
  action("/cover_requests", create),
];
