// One absence: its answers, its hours, the form that changes it, and what can be done with it.
import type { AbsenceWithShifts } from "../../../../contract/oncall/absences/absence.ts";
import { isRefusal, type Refusal } from "../../../../domain/shared/refusal.ts";
import { mayDecideAbsences } from "../../../access/reach.ts";
import { absenceBody, absenceValues } from "../../../oncall/absence-form.ts";
import { action, type ConsolePage, idOf, page, type Reply, type Visit } from "../../../page.ts";
import { AbsenceDetails } from "../../../parts/oncall/absences/absence-details.tsx";
import {
  ABSENCE_PARAMETERS,
  AbsenceFields,
} from "../../../parts/oncall/absences/absence-fields.tsx";
import { absencePath } from "../../../parts/oncall/absences/absence-list.tsx";
import { AbsenceWarnings } from "../../../parts/oncall/absences/absence-warnings.tsx";
import { AwayPlan, type Drawn } from "../../../parts/oncall/absences/away-plan.tsx";
import { Editor } from "../../../parts/oncall/rotation/editor-page.tsx";
import { ActionButton, Button } from "../../../parts/shared/form.tsx";
import { Heading } from "../../../parts/shared/panel.tsx";
import { allOf } from "../../../shared/api.ts";
import { changedParameters, NOTHING_CHANGED } from "../../../shared/changed.ts";
import { isPartial } from "../../../shared/go-to.ts";
import { type Names, readNames } from "../../../shared/names.ts";
import { done, notDone, redisplayForm, statusAfter } from "../../../shared/replies.ts";
import { textOf } from "../../../shared/values.ts";
import { AWAY } from "./away.tsx";
import { drawAbsence } from "./draw-absence.ts";

const pathOf = (visit: Visit) => absencePath(encodeURIComponent(idOf(visit)));

/** Whether the viewer may change an absence that is not over. */
const mayChange = (visit: Visit, names: Names, absence: AbsenceWithShifts): boolean =>
  absence.source === "person" &&
  absence.status !== "cancelled" &&
  Date.parse(absence.end_datetime) > visit.now &&
  (absence.account_user_id === visit.session.actor.accountUserId ||
    mayDecideAbsences(visit, names));

/** Whether somebody has yet to say who takes it. */
const isUndecided = ({ status }: AbsenceWithShifts): boolean =>
  status === "uncovered" || status === "declined" || status === "expired";

type Submitted = { readonly refusal: Refusal | null; readonly drawn: Drawn };

async function show(visit: Visit, submitted: Submitted | null = null): Promise<Reply> {
  const { api, session } = visit;
  const read = await allOf(
    api.get("/absences/:id", { id: idOf(visit) }),
    readNames(api),
    api.every("/schedules"),
  );
  if (isRefusal(read)) return read;
  const [absence, names, schedules] = read;
  const title = `Absence of ${names.of(absence.account_user_id)}`;
  const refusal = submitted?.refusal ?? null;
  const zone = session.timeZone;
  const values = submitted ? visit.form : absenceValues(absence);
  const state = { values, refusal, names, schedules, zone, rotation: [] };
  const path = pathOf(visit);
  const isAsking = absence.status === "asking";
  const body = (
    <>
      <Heading title={title} back={AWAY} lead={`All times in ${zone}`}>
        {mayChange(visit, names, absence) ? (
          <ActionButton
            to={`${path}/take_back`}
            session={session}
            label="Take back"
            tone="danger"
            confirm={
              isAsking
                ? "Take back what was asked? The absence is removed."
                : "Take back this absence? From now on its person is on call again."
            }
          />
        ) : null}
      </Heading>
      {Date.parse(absence.end_datetime) > visit.now ? (
        <AbsenceWarnings warnings={absence.warnings} />
      ) : null}
      <AbsenceDetails {...{ visit, absence, names, schedules }} />
      {mayChange(visit, names, absence) ? (
        <details class="more" open={submitted !== null || isUndecided(absence)}>
          <summary>Change absence</summary>
          <Editor
            {...{ session, refusal, to: path, draft: `${path}/draft` }}
            parameters={ABSENCE_PARAMETERS}
            fields={<AbsenceFields {...state} mayDecide={mayDecideAbsences(visit, names)} />}
            buttons={<Button>Save changes</Button>}
            drawing={<AwayPlan {...{ visit, names, drawn: submitted?.drawn ?? null }} />}
          />
        </details>
      ) : null}
    </>
  );
  return { kind: "page", status: statusAfter(refusal), title, section: "on-call", body };
}

/** What the submitted form changes of the absence. */
async function readChanges(visit: Visit) {
  const absence = await visit.api.get("/absences/:id", { id: idOf(visit) });
  if (isRefusal(absence)) return absence;
  const body = absenceBody(visit.form, visit.session.timeZone);
  return { absence, body, changes: changedParameters(body, absence) };
}

async function draw(visit: Visit): Promise<Drawn> {
  const read = await readChanges(visit);
  if (isRefusal(read)) return read;
  const { absence, body, changes } = read;
  return drawAbsence(visit, absence.account_user_id, body, () =>
    visit.api.preview("PUT", "/absences/:id", { ...changes, id: absence.id }),
  );
}

async function draft(visit: Visit): Promise<Reply> {
  const drawn = await draw(visit);
  if (!isPartial(visit.context)) return show(visit, { refusal: null, drawn });
  const names = await readNames(visit.api);
  if (isRefusal(names)) return names;
  return { kind: "page", title: "Preview", body: <AwayPlan {...{ visit, names, drawn }} /> };
}

async function update(visit: Visit): Promise<Reply> {
  const read = await readChanges(visit);
  if (isRefusal(read)) return read;
  const to = pathOf(visit);
  if (Object.keys(read.changes).length === 0) return done(to, NOTHING_CHANGED);
  const changed = await visit.api.put("/absences/:id", { ...read.changes, id: idOf(visit) });
  if (!isRefusal(changed)) return done(to, "Changes saved.");
  return redisplayForm(changed, async (refusal) =>
    show(visit, { refusal, drawn: await draw(visit) }),
  );
}

/** Takes back what is asked; otherwise removes the absence. */
async function takeBack(visit: Visit): Promise<Reply> {
  const { api } = visit;
  const id = idOf(visit);
  const absence = await api.get("/absences/:id", { id });
  if (isRefusal(absence)) return notDone(AWAY.to, absence);
  const taken = await (absence.status === "asking"
    ? api.post("/absences/:id/cancel", { id })
    : api.delete("/absences/:id", { id }));
  return isRefusal(taken) ? notDone(pathOf(visit), taken) : done(AWAY.to, "Absence taken back.");
}

/** The page on which the viewer answered. */
const backOf = (visit: Visit) => textOf(visit.form, "back") || pathOf(visit);

const answer =
  (verb: "accept" | "decline", text: string) =>
  async (visit: Visit): Promise<Reply> => {
    const answered = await visit.api.post(`/absences/:id/${verb}`, { id: idOf(visit) });
    return isRefusal(answered) ? notDone(backOf(visit), answered) : done(backOf(visit), text);
  };

export const absencePages: readonly ConsolePage[] = [
  page("/absences/:id", (visit) => show(visit)),
  action("/absences/:id", update),
  action("/absences/:id/draft", draft),
  action("/absences/:id/take_back", takeBack),
  action(
    "/absences/:id/accept",
    answer("accept", "You have accepted. You are on call in these hours."),
  ),
  action("/absences/:id/decline", answer("decline", "You have declined.")),
];
