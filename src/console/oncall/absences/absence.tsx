// One absence, or a new one: the form with what it would do beside it, the answers and hours of a
// stored one, and what can be done with it.
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import type { AbsenceWithShifts } from "../../../features/oncall/absences/contract.ts";
import { changedParameters, NOTHING_CHANGED } from "../../../kernel/console/changed.ts";
import { isWhole } from "../../../kernel/console/folded.tsx";
import { ActionButton, Button } from "../../../kernel/console/form.tsx";
import { isPartial } from "../../../kernel/console/go-to.ts";
import { Heading } from "../../../kernel/console/panel.tsx";
import { done, notDone, redisplayForm, statusAfter } from "../../../kernel/console/replies.ts";
import type { Reply } from "../../../kernel/console/reply.ts";
import { fieldText, textOf } from "../../../kernel/console/values.ts";
import { mayDecideAbsences } from "../../access/reach.ts";
import { Notifications } from "../../alerts/notifications.tsx";
import { allOf, MOST_RECORDS } from "../../api.ts";
import { type Names, readNames } from "../../names.ts";
import { action, type ConsolePage, idOf, page, type Visit } from "../../page.ts";
import { Editor } from "../rotation/editor-page.tsx";
import { AbsenceDetails } from "./absence-details.tsx";
import { ABSENCE_PARAMETERS, AbsenceFields } from "./absence-fields.tsx";
import { absenceBody, absenceValues, blankAbsence } from "./absence-form.ts";
import { absencePath } from "./absence-list.tsx";
import { AwayPlan, type Drawn } from "./away-plan.tsx";
import { drawAbsence, withRotation } from "./draw-absence.ts";

const AWAY = { to: "/absences", label: "Away" };

const pathOf = (visit: Visit) => absencePath(encodeURIComponent(idOf(visit)));

/** The absence that the page is about; null: a new one. */
const readAbsence = async (visit: Visit): Promise<AbsenceWithShifts | null | Refusal> =>
  idOf(visit) === "" ? null : visit.api.get("/absences/:id", { id: idOf(visit) });

/** The attempts to reach the people who are asked, and who asks; null: it is a new absence. */
const readNotifications = async (visit: Visit) =>
  idOf(visit) === ""
    ? null
    : visit.api.get("/absences/:id/notifications", {
        id: idOf(visit),
        limit: isWhole(visit.url, "notifications") ? MOST_RECORDS : 100,
      });

/** The people of the rotation that the form of a new absence is about. */
async function readRotation({ api, query, form }: Visit): Promise<readonly string[]> {
  const id = query.get("event") ?? textOf(form, "event");
  const event = id === "" ? null : await api.get("/events/:id", { id });
  if (event === null || isRefusal(event)) return [];
  return event.account_user_ids.filter((it) => it !== null);
}

/** Whether the viewer may take back an absence that is not over. */
const mayTakeBack = (visit: Visit, names: Names, absence: AbsenceWithShifts): boolean =>
  absence.source === "person" &&
  absence.status !== "cancelled" &&
  Date.parse(absence.end_datetime) > visit.now &&
  (absence.account_user_id === visit.session.actor.accountUserId ||
    mayDecideAbsences(visit, names));

/** Whether nobody serves instead by it: then its person may change it. */
const isOpen = ({ instead, status }: AbsenceWithShifts): boolean =>
  instead === "nobody_yet" || (instead === "ask" && status !== "covered");

/** Whether somebody has yet to say who takes it. */
const isUndecided = ({ status, uncovered }: AbsenceWithShifts): boolean =>
  uncovered.length > 0 && status !== "asking";

const TAKING_BACK = {
  asking: "Take back what was asked? The absence is removed.",
  other: "Take back this absence? From now on its person is on call again.",
};

type Submitted = { readonly refusal: Refusal | null; readonly drawn: Drawn };

async function show(visit: Visit, submitted: Submitted | null = null): Promise<Reply> {
  const { api, session } = visit;
  const read = await allOf(
    readAbsence(visit),
    readNames(api),
    api.every("/schedules"),
    readRotation(visit),
    readNotifications(visit),
  );
  if (isRefusal(read)) return read;
  const [absence, names, schedules, rotation, notifications] = read;
  const { refusal, drawn } = submitted ?? { refusal: null, drawn: null };
  const zone = session.timeZone;
  const stored = absence ? absenceValues(absence) : blankAbsence(visit);
  const state = { values: submitted ? visit.form : stored, refusal, names, schedules, rotation };
  const title = absence ? `Absence of ${names.of(absence.account_user_id)}` : "Add absence";
  const path = absence ? pathOf(visit) : AWAY.to;
  const mayDecide = mayDecideAbsences(visit, names);
  const editor = (
    <Editor
      {...{ session, refusal, to: path, draft: `${path}/draft` }}
      parameters={ABSENCE_PARAMETERS}
      fields={<AbsenceFields {...{ ...state, zone, mayDecide }} />}
      buttons={<Button>{absence ? "Save changes" : "Save absence"}</Button>}
      drawing={<AwayPlan {...{ visit, names, drawn }} />}
    />
  );
  const mayTake = absence !== null && mayTakeBack(visit, names, absence);
  const body = (
    <>
      <Heading title={title} back={AWAY} lead={`All times in ${zone}`}>
        {mayTake ? (
          <ActionButton
            {...{ to: `${path}/take_back`, session, label: "Take back", tone: "danger" }}
            confirm={TAKING_BACK[absence.status === "asking" ? "asking" : "other"]}
          />
        ) : null}
      </Heading>
      {absence ? <AbsenceDetails {...{ visit, absence, names, schedules }} /> : editor}
      {notifications && notifications.data.length > 0 ? (
        <Notifications {...{ list: notifications, names, zone, url: visit.url, now: visit.now }} />
      ) : null}
      {mayTake && (mayDecide || isOpen(absence)) ? (
        <details class="more" open={submitted !== null || isUndecided(absence)}>
          <summary>Change absence</summary>
          {editor}
        </details>
      ) : null}
    </>
  );
  return { kind: "page", status: statusAfter(refusal), title, section: "on-call", body };
}

/** What the submitted form means: for whom, and of a stored absence what it changes. */
async function readSubmitted(visit: Visit) {
  const { form, session } = visit;
  const absence = await readAbsence(visit);
  if (isRefusal(absence)) return absence;
  const entered = absenceBody(form, session.timeZone);
  const person =
    fieldText(entered, "account_user_id") ||
    (absence?.account_user_id ?? session.actor.accountUserId);
  const body = await withRotation(visit, person, entered);
  return { absence, person, body, changes: absence ? changedParameters(body, absence) : body };
}

async function draw(visit: Visit): Promise<Drawn> {
  const { api } = visit;
  const read = await readSubmitted(visit);
  if (isRefusal(read)) return read;
  const { absence, person, body, changes } = read;
  return drawAbsence(visit, person, body, () =>
    absence
      ? api.preview("PUT", "/absences/:id", { ...changes, id: absence.id })
      : api.preview("POST", "/absences", body),
  );
}

/** Draws what the form would do. */
async function draft(visit: Visit): Promise<Reply> {
  const drawn = await draw(visit);
  if (!isPartial(visit.context)) return show(visit, { refusal: null, drawn });
  const names = await readNames(visit.api);
  if (isRefusal(names)) return names;
  return { kind: "page", title: "Preview", body: <AwayPlan {...{ visit, names, drawn }} /> };
}

async function save(visit: Visit): Promise<Reply> {
  const { api } = visit;
  const read = await readSubmitted(visit);
  if (isRefusal(read)) return read;
  const { absence, body, changes } = read;
  if (Object.keys(changes).length === 0) return done(pathOf(visit), NOTHING_CHANGED);
  const saved = await (absence
    ? api.put("/absences/:id", { ...changes, id: absence.id })
    : api.post("/absences", body));
  if (isRefusal(saved)) {
    return redisplayForm(saved, async (refusal) =>
      show(visit, { refusal, drawn: await draw(visit) }),
    );
  }
  const isAsked = saved.status === "asking" && "instead" in changes;
  return done(
    absencePath(saved.prefix_id),
    isAsked
      ? "Absence saved, and the people asked."
      : absence
        ? "Changes saved."
        : "Absence saved.",
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

const answer = (verb: "accept" | "decline", text: string): ConsolePage =>
  action(`/absences/:id/${verb}`, async (visit) => {
    // The page on which the viewer answered.
    const back = textOf(visit.form, "back") || pathOf(visit);
    const answered = await visit.api.post(`/absences/:id/${verb}`, { id: idOf(visit) });
    return isRefusal(answered) ? notDone(back, answered) : done(back, text);
  });

export const absencePages: readonly ConsolePage[] = [
  page("/absences/new", (visit) => show(visit)),
  action("/absences", save),
  action("/absences/draft", draft),
  page("/absences/:id", (visit) => show(visit)),
  action("/absences/:id", save),
  action("/absences/:id/draft", draft),
  action("/absences/:id/take_back", takeBack),
  answer("accept", "You have accepted. You are on call in these hours."),
  answer("decline", "You have declined."),
];
