// One absence: its answers and hours, its form, and what can be done with it. A new one is made among the others.

// One absence: its facts, the answers of those who are asked, and the hours that it concerns.
import { channelWord } from "../../../domain/people/messengers.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import type { AbsenceWithShifts } from "../../../features/oncall/absences/contract.ts";
import type { Schedule } from "../../../features/oncall/schedules/contract.ts";
import { changedParameters, NOTHING_CHANGED } from "../../../kernel/console/changed.ts";
import { isWhole } from "../../../kernel/console/folded.tsx";
import { ActionButton } from "../../../kernel/console/form.tsx";
import { isPartial } from "../../../kernel/console/go-to.ts";
import { dayAndClockOf, Moment } from "../../../kernel/console/moment.tsx";
import { Facts, Heading, Panel } from "../../../kernel/console/panel.tsx";
import {
  done,
  notDone,
  outcome,
  pageReply,
  type Reply,
  redisplayForm,
} from "../../../kernel/console/reply.ts";
import { Table } from "../../../kernel/console/table.tsx";
import { fieldText, textOf } from "../../../kernel/console/values.ts";
import { mayDecideAbsences } from "../../access/reach.ts";
import { Notifications } from "../../alerts/alert-panels.tsx";
import { MOST_RECORDS } from "../../api.ts";
import { action, type ConsolePage, idOf, page, pathOf, type Visit } from "../../page.ts";
import { Everybody, Who } from "../../people/person-panels.tsx";
import { allOf, type Names, type PageProps, readNames } from "../../reads.ts";
import { AbsenceEditor, type Submitted } from "./absence-editor.tsx";
import { absenceBody } from "./absence-form.ts";
import {
  AbsenceWarnings,
  AnswerButtons,
  absencePath,
  hoursText,
  WhoTakesIt,
} from "./absence-list.tsx";
import { showAway } from "./away.tsx";
import { AwayPlan, type Drawn, drawAbsence, withRotation } from "./away-plan.tsx";

type Shown = PageProps<{ absence: AbsenceWithShifts; schedules: readonly Schedule[] }>;

const ANSWERS = { pending: "not yet", accepted: "accepted", declined: "declined" } as const;

const schedulesText = (schedules: readonly Schedule[], ids: readonly string[]) =>
  ids.map((id) => schedules.find((it) => it.id === id)?.name ?? "deleted").join(", ");

const Asked = ({ visit, absence, names }: Shown) => (
  <ul class="plan-words">
    {absence.asked.map(({ account_user_id: id, answer, channel, answered_at: at }) => (
      <li>
        <Who names={names} id={id} />: {ANSWERS[answer]}
        {channel === null ? "" : `, by ${channelWord(channel)}`}
        {at === null ? "" : `, ${dayAndClockOf(at, visit.session.timeZone, visit.now)}`}
      </li>
    ))}
  </ul>
);

const AbsenceFacts = (shown: Shown) => {
  const { visit, absence, names, schedules } = shown;
  const ends = absence.ended_at ?? absence.expires_at;
  return (
    <Facts
      facts={[
        ["Who is away", <Who names={names} id={absence.account_user_id} />],
        ["When", hoursText(absence, visit)],
        [
          "Who takes it",
          <WhoTakesIt {...{ absence, names }} hasShifts={absence.uncovered.length > 0} />,
        ],
        ["Asked", absence.asked.length > 0 && <Asked {...shown} />],
        ["In return", absence.in_return && hoursText(absence.in_return, visit)],
        [absence.ended_at === null ? "Answer until" : "Asking ended", ends && <Moment at={ends} />],
        ["Schedules", schedulesText(schedules, absence.schedule_ids)],
        ["Reason", absence.reason],
        ["From", absence.source === "calendar" && <a href="/calendars#absences">a calendar</a>],
      ]}
    />
  );
};

/** The shifts of the person in this time, with who is on call in them. */
const Shifts = ({ visit, absence, names, schedules }: Shown) => {
  const left = absence.uncovered.map((it) => ({ ...it, account_user_ids: null }));
  const shifts = [...absence.shifts, ...left].toSorted(
    (one, other) => Date.parse(one.start_time) - Date.parse(other.start_time),
  );
  return (
    <Panel title="Shifts" id="shifts">
      <Table
        label="Shifts in this time"
        rows={shifts}
        columns={[
          {
            title: "When",
            cell: ({ event_id: id, start_time: start, end_time: end }) => (
              <a href={`/events/${id}?at=${encodeURIComponent(start)}`}>
                {hoursText({ start_datetime: start, end_datetime: end }, visit)}
              </a>
            ),
          },
          {
            title: "Schedule",
            cell: (it) => `${schedulesText(schedules, it.schedule_ids)}, step ${it.layer}`,
          },
          {
            title: "On call",
            cell: ({ account_user_ids: ids }) =>
              ids !== null && ids.length > 0 ? (
                <Everybody names={names} ids={ids} />
              ) : (
                <span class="gap-text">
                  {ids === null ? `still ${names.of(absence.account_user_id)}` : "nobody"}
                </span>
              ),
          },
        ]}
        empty={<p class="soft">No shifts in this time.</p>}
      />
    </Panel>
  );
};

const AbsenceDetails = (shown: Shown) => {
  const { visit, absence } = shown;
  const isOver = Date.parse(absence.end_datetime) <= visit.now;
  return (
    <>
      <AbsenceWarnings warnings={isOver ? [] : absence.warnings} />
      <Panel>
        <AbsenceFacts {...shown} />
        <AnswerButtons {...shown} back={visit.url.pathname} />
      </Panel>
      <Shifts {...shown} />
    </>
  );
};

const AWAY = { to: "/absences", label: "Away and covers" };

const readAbsence = (visit: Visit): Promise<AbsenceWithShifts | Refusal> =>
  visit.api.get("/absences/:id", { id: idOf(visit) });

/** The attempts to reach the people who are asked, and who asks. */
const readNotifications = (visit: Visit) =>
  visit.api.get("/absences/:id/notifications", {
    id: idOf(visit),
    limit: isWhole(visit.url, "notifications") ? MOST_RECORDS : 100,
  });

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

async function show(visit: Visit, submitted: Submitted | null = null): Promise<Reply> {
  if (idOf(visit) === "") return showAway(visit, submitted);
  const { api, session } = visit;
  const read = await allOf(
    readAbsence(visit),
    readNames(api),
    api.every("/schedules"),
    readNotifications(visit),
  );
  if (isRefusal(read)) return read;
  const [absence, names, schedules, notifications] = read;
  const zone = session.timeZone;
  const title = `Absence of ${names.of(absence.account_user_id)}`;
  const mayTake = mayTakeBack(visit, names, absence);
  const body = (
    <>
      <Heading title={title} back={AWAY} lead={`All times in ${zone}`}>
        {mayTake ? (
          <ActionButton
            {...{
              to: `${pathOf("/absences", visit)}/take_back`,
              label: "Take back",
              tone: "danger",
            }}
            confirm={TAKING_BACK[absence.status === "asking" ? "asking" : "other"]}
          />
        ) : null}
      </Heading>
      <AbsenceDetails {...{ visit, absence, names, schedules }} />
      {notifications.data.length > 0 ? <Notifications list={notifications} names={names} /> : null}
      {mayTake && (mayDecideAbsences(visit, names) || isOpen(absence)) ? (
        <details class="more" open={submitted !== null || isUndecided(absence)}>
          <summary>Change absence</summary>
          <AbsenceEditor {...{ visit, absence, names, schedules, rotation: [], submitted }} />
        </details>
      ) : null}
    </>
  );
  return pageReply(title, body, submitted?.refusal ?? null);
}

/** What the submitted form means: for whom, and of a stored absence what it changes. */
async function readSubmitted(visit: Visit) {
  const { form, session } = visit;
  // Without an id it is a new one.
  const absence = idOf(visit) === "" ? null : await readAbsence(visit);
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

async function draft(visit: Visit): Promise<Reply> {
  const drawn = await draw(visit);
  if (!isPartial(visit.context)) return show(visit, { refusal: null, drawn });
  const names = await readNames(visit.api);
  if (isRefusal(names)) return names;
  return pageReply("Preview", <AwayPlan {...{ visit, names, drawn }} />);
}

async function save(visit: Visit): Promise<Reply> {
  const { api } = visit;
  const read = await readSubmitted(visit);
  if (isRefusal(read)) return read;
  const { absence, body, changes } = read;
  if (Object.keys(changes).length === 0) return done(pathOf("/absences", visit), NOTHING_CHANGED);
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
  return outcome(taken, AWAY.to, "Absence taken back.", pathOf("/absences", visit));
}

const answer = (verb: "accept" | "decline", text: string): ConsolePage =>
  action(`/absences/:id/${verb}`, async (visit) => {
    // The page on which the viewer answered.
    const back = textOf(visit.form, "back") || pathOf("/absences", visit);
    const answered = await visit.api.post(`/absences/:id/${verb}`, { id: idOf(visit) });
    return outcome(answered, back, text);
  });

export const absencePages: readonly ConsolePage[] = [
  action("/absences", save),
  action("/absences/draft", draft),
  page("/absences/:id", (visit) => show(visit)),
  action("/absences/:id", save),
  action("/absences/:id/draft", draft),
  action("/absences/:id/take_back", takeBack),
  answer("accept", "You have accepted. You are on call in these hours."),
  answer("decline", "You have declined."),
];
