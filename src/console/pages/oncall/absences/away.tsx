// Who is away: everybody's absences, and the form of a new one. What it would do is drawn beside it.
import { isRefusal, type Refusal } from "../../../../domain/shared/refusal.ts";
import { DAY, formatInstant } from "../../../../domain/shared/time.ts";
import { mayDecideAbsences } from "../../../access/reach.ts";
import { absenceBody, blankAbsence } from "../../../oncall/absence-form.ts";
import { hoursStillOnCall } from "../../../oncall/still-on-call.ts";
import { action, type ConsolePage, page, type Reply, type Visit } from "../../../page.ts";
import {
  ABSENCE_PARAMETERS,
  AbsenceFields,
} from "../../../parts/oncall/absences/absence-fields.tsx";
import { AbsenceList } from "../../../parts/oncall/absences/absence-list.tsx";
import { AwayPlan, type Drawn } from "../../../parts/oncall/absences/away-plan.tsx";
import { OnCallViews } from "../../../parts/oncall/on-call-views.tsx";
import { Editor } from "../../../parts/oncall/rotation/editor-page.tsx";
import { Chips } from "../../../parts/shared/filters.tsx";
import { Button } from "../../../parts/shared/form.tsx";
import { Heading } from "../../../parts/shared/panel.tsx";
import { allOf } from "../../../shared/api.ts";
import { isPartial } from "../../../shared/go-to.ts";
import { readNames } from "../../../shared/names.ts";
import { done, redisplayForm, statusAfter } from "../../../shared/replies.ts";
import { fieldText, type Values } from "../../../shared/values.ts";
import { drawAbsence, withRotation } from "./draw-absence.ts";

export const AWAY = { to: "/absences", label: "Away" };

/** How far ahead shifts of people who are away are looked for. */
const AHEAD_MS = 30 * DAY;

async function list(visit: Visit): Promise<Reply> {
  const { api, now, session, url } = visit;
  const isPast = visit.query.get("state") === "past";
  const at = formatInstant(now);
  const asked = isPast
    ? { ops: "end_datetime:lt", sort: "end_datetime", direction: "desc" }
    : { ops: "end_datetime:gte", sort: "start_datetime", direction: "asc" };
  const read = await allOf(
    readNames(api),
    api.every("/absences", { ...asked, end_datetime: at }),
    isPast ? [] : api.get("/oncall", { start: at, end: formatInstant(now + AHEAD_MS) }),
  );
  if (isRefusal(read)) return read;
  const [names, absences, onCall] = read;
  const entries = onCall.flatMap((team) => team.entries);
  const body = (
    <>
      <Heading title="Away" lead={`All times in ${session.timeZone}`}>
        <OnCallViews path={url.pathname} />
        <a class="button primary" href="/absences/new">
          Add absence
        </a>
      </Heading>
      <Chips
        url={url}
        name="state"
        label="State"
        chips={[
          { value: "current", label: "Now and coming" },
          { value: "past", label: "Past" },
        ]}
      />
      <AbsenceList
        {...{ visit, absences, names }}
        label="Absences"
        empty={isPast ? "Nobody was away." : "Nobody is away."}
        {...(!isPast && { stillOnCall: hoursStillOnCall(entries, absences, now, now + AHEAD_MS) })}
      />
    </>
  );
  return { kind: "page", title: "Away", section: "on-call", body };
}

/** The people of the rotation that the form is about. */
async function readRotation({ api }: Visit, eventId: string): Promise<readonly string[]> {
  if (eventId === "") return [];
  const event = await api.get("/events/:id", { id: eventId });
  return isRefusal(event) ? [] : event.account_user_ids.filter((id) => id !== null);
}

type Submitted = { readonly refusal: Refusal | null; readonly drawn: Drawn };

async function showNew(visit: Visit, submitted: Submitted | null = null): Promise<Reply> {
  const { api, session } = visit;
  const values = submitted ? visit.form : blankAbsence(visit);
  const read = await allOf(
    readNames(api),
    api.every("/schedules"),
    readRotation(visit, fieldText(values, "event")),
  );
  if (isRefusal(read)) return read;
  const [names, schedules, rotation] = read;
  const refusal = submitted?.refusal ?? null;
  const mayDecide = mayDecideAbsences(visit, names);
  const state = { values, refusal, names, schedules, rotation, mayDecide, zone: session.timeZone };
  const body = (
    <>
      <Heading title="Add absence" back={AWAY} lead={`All times in ${session.timeZone}`} />
      <Editor
        {...{ session, refusal, to: "/absences", draft: "/absences/draft" }}
        parameters={ABSENCE_PARAMETERS}
        fields={<AbsenceFields {...state} />}
        buttons={<Button>Save absence</Button>}
        drawing={<AwayPlan {...{ visit, names, drawn: submitted?.drawn ?? null }} />}
      />
    </>
  );
  const status = statusAfter(refusal);
  return { kind: "page", status, title: "Add absence", section: "on-call", body };
}

/** The body that the submitted form means, and who is away. */
async function submitted(
  visit: Visit,
): Promise<{ readonly person: string; readonly body: Values }> {
  const { form, session } = visit;
  const body = absenceBody(form, session.timeZone);
  const person = fieldText(body, "account_user_id") || session.actor.accountUserId;
  return { person, body: await withRotation(visit, person, body) };
}

async function drawNew(visit: Visit): Promise<Drawn> {
  const { person, body } = await submitted(visit);
  return drawAbsence(visit, person, body, (it) => visit.api.preview("POST", "/absences", it));
}

/** Draws what the absence would do. */
async function draft(visit: Visit): Promise<Reply> {
  const drawn = await drawNew(visit);
  if (!isPartial(visit.context)) return showNew(visit, { refusal: null, drawn });
  const names = await readNames(visit.api);
  if (isRefusal(names)) return names;
  return { kind: "page", title: "Preview", body: <AwayPlan {...{ visit, names, drawn }} /> };
}

async function create(visit: Visit): Promise<Reply> {
  const { body } = await submitted(visit);
  const created = await visit.api.post("/absences", body);
  if (isRefusal(created)) {
    return redisplayForm(created, async (refusal) =>
      showNew(visit, { refusal, drawn: await drawNew(visit) }),
    );
  }
  const text =
    created.status === "asking" ? "Absence saved, and the people asked." : "Absence saved.";
  return done(`/absences/${created.prefix_id}`, text);
}

export const awayPages: readonly ConsolePage[] = [
  page("/absences", list),
  page("/absences/new", (visit) => showNew(visit)),
  action("/absences", create),
  action("/absences/draft", draft),
];
