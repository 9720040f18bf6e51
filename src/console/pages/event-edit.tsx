// Changing an on-call event: its form, and where a shift was dragged to. For this one, this and the following, or all.
import { isRefusal, type Refusal, refuse } from "../../domain/refusal.ts";
import { askAgain, statusAfter } from "../again.ts";
import { allOf } from "../api.ts";
import type { Duty } from "../configuration-records.ts";
import { changeFollowing, moveDuty, type Scope } from "../duty-changes.ts";
import { atOf, bodyOf, formOf, sentForm } from "../duty-form.ts";
import { readNames } from "../names.ts";
import { instantText, wallOf } from "../on-call-window.ts";
import { action, type ConsolePage, done, page, type Reply, textOf, type Visit } from "../page.ts";
import { DUTY_PARAMETERS, DutyFields } from "../parts/duty-fields.tsx";
import { Button, Form, FormFaults, TextField } from "../parts/form.tsx";
import { Moment } from "../parts/moment.tsx";
import { Heading, Panel } from "../parts/panel.tsx";
import { backToSchedule, eventPath, Occurrence } from "./event.tsx";

const atFor = ({ query, form }: Visit) => atOf(query.get("at") ?? textOf(form, "at"));

async function edit(visit: Visit, refusal: Refusal | null = null): Promise<Reply> {
  const { api, session } = visit;
  const read = await allOf(api.get<Duty>(eventPath(visit)), readNames(api));
  if (isRefusal(read)) return read;
  const [duty, names] = read;
  const at = atFor(visit);
  const following = duty.repeat && at !== null && at > Date.parse(duty.start_datetime);
  const form = refusal ? sentForm(visit.form) : formOf(duty, following ? at : null);
  return {
    kind: "page",
    status: statusAfter(refusal),
    title: "Change who is on call",
    section: "schedules",
    body: (
      <div class="narrow">
        <Heading
          title="Change who is on call"
          back={{ to: backToSchedule(visit, at), label: "Calendar" }}
          lead={
            following
              ? "From this shift on; those before it stay as they are."
              : "For the whole event."
          }
        />
        <Panel>
          <Form to={eventPath(visit)} session={session} kind="fields">
            <FormFaults refusal={refusal} fields={DUTY_PARAMETERS} />
            <Occurrence visit={visit} at={following ? at : null} />
            <DutyFields form={form} refusal={refusal} names={names} />
            <div class="buttons">
              <Button>Keep the change</Button>
              {following ? (
                <a
                  class="button plain"
                  href={`${eventPath(visit)}/edit?schedule=${visit.query.get("schedule") ?? ""}`}
                >
                  Change all of them instead
                </a>
              ) : null}
            </div>
          </Form>
        </Panel>
      </div>
    ),
  };
}

async function update(visit: Visit): Promise<Reply> {
  const { api, form } = visit;
  const duty = await api.get<Duty>(eventPath(visit));
  if (isRefusal(duty)) return duty;
  const at = atFor(visit);
  const body = bodyOf(sentForm(form));
  const changed =
    at === null
      ? await api.put<Duty>(eventPath(visit), body)
      : await changeFollowing(api, duty, at, body);
  if (isRefusal(changed)) return askAgain(changed, (refusal) => edit(visit, refusal));
  return done(backToSchedule(visit, at), "The change is made.");
}

/** Where a shift is moved to: what was sent, else what the address says. */
function movedTo({ query, form, session }: Visit) {
  const zone = session.timeZone;
  const asked = (name: string) => {
    const at = atOf(query.get(name) ?? "");
    return textOf(form, name) || (at === null ? "" : wallOf(at, zone));
  };
  return { start: asked("start"), end: asked("end"), zone };
}

const SCOPES: readonly { readonly scope: Scope; readonly label: string }[] = [
  { scope: "one", label: "This one" },
  { scope: "following", label: "This and all following" },
  { scope: "all", label: "All of them" },
];

async function askMove(visit: Visit, refusal: Refusal | null = null): Promise<Reply> {
  const { api, session, now } = visit;
  const duty = await api.get<Duty>(eventPath(visit));
  if (isRefusal(duty)) return duty;
  const at = atFor(visit) ?? Date.parse(duty.start_datetime);
  const { start, end, zone } = movedTo(visit);
  const fields = { type: "datetime-local", refusal, required: true };
  return {
    kind: "page",
    status: statusAfter(refusal),
    title: "Move a shift",
    section: "schedules",
    body: (
      <div class="narrow">
        <Heading
          title="Move a shift"
          back={{ to: backToSchedule(visit, at), label: "Calendar" }}
          lead={
            <>
              The shift of <Moment at={at} zone={zone} now={now} />, on the clock of {zone}.
            </>
          }
        />
        <Panel>
          <Form to={`${eventPath(visit)}/move`} session={session} kind="fields">
            <FormFaults refusal={refusal} fields={["start_datetime", "end_datetime"]} />
            <Occurrence visit={visit} at={at} />
            <div class="side-by-side">
              <TextField
                name="start"
                parameter="start_datetime"
                label="From"
                value={start}
                {...fields}
              />
              <TextField
                name="end"
                parameter="end_datetime"
                label="Until"
                value={end}
                {...fields}
              />
            </div>
            <div class="buttons">
              {(duty.repeat ? SCOPES : SCOPES.slice(-1)).map(({ scope, label }) => (
                <Button tone={scope === "one" ? "primary" : "plain"} name="scope" value={scope}>
                  {duty.repeat ? label : "Move it"}
                </Button>
              ))}
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

const NOT_A_TIME = refuse("invalid", "that is not a time", "start_datetime");

async function move(visit: Visit): Promise<Reply> {
  const { api, form, session } = visit;
  const duty = await api.get<Duty>(eventPath(visit));
  if (isRefusal(duty)) return duty;
  const at = atFor(visit);
  const start = atOf(instantText(textOf(form, "start"), session.timeZone));
  const end = atOf(instantText(textOf(form, "end"), session.timeZone));
  if (at === null || start === null || end === null) return askMove(visit, NOT_A_TIME);
  const scope = SCOPES.find((it) => it.scope === textOf(form, "scope"))?.scope ?? "one";
  const moved = await moveDuty(api, duty, scope, { at, start, end });
  if (isRefusal(moved)) return askAgain(moved, (refusal) => askMove(visit, refusal));
  return done(backToSchedule(visit, start), "It is moved.");
}

export const eventEditPages: readonly ConsolePage[] = [
  page("/events/:id/edit", (visit) => edit(visit)),
  action("/events/:id", update),
  page("/events/:id/move", (visit) => askMove(visit)),
  action("/events/:id/move", move),
];
