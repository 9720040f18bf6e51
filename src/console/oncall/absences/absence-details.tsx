// One absence: its facts, the answers of those who are asked, and the hours that it concerns.
import type { AbsenceWithShifts } from "../../../features/oncall/absences/contract.ts";
import type { Schedule } from "../../../features/oncall/schedules/contract.ts";
import { dayAndClockOf, Moment } from "../../../kernel/console/moment.tsx";
import { Facts, Panel } from "../../../kernel/console/panel.tsx";
import { Table } from "../../../kernel/console/table.tsx";
import type { Names } from "../../names.ts";
import type { Visit } from "../../page.ts";
import { Everybody, Who } from "../../people/person-panels.tsx";
import { AnswerButtons, hoursText, WhoTakesIt } from "./absence-list.tsx";
import { AbsenceWarnings } from "./absence-warnings.tsx";

type Shown = {
  readonly visit: Visit;
  readonly absence: AbsenceWithShifts;
  readonly names: Names;
  readonly schedules: readonly Schedule[];
};

const ANSWERS = { pending: "not yet", accepted: "accepted", declined: "declined" } as const;
const CHANNELS = { api: "API", console: "console", link: "link", sms: "SMS" } as const;

const schedulesText = (schedules: readonly Schedule[], ids: readonly string[]) =>
  ids.map((id) => schedules.find((it) => it.id === id)?.name ?? "deleted").join(", ");

/** The people who are asked, each with their answer. */
const Asked = ({ visit, absence, names }: Shown) => (
  <ul class="plan-words">
    {absence.asked.map(({ account_user_id: id, answer, channel, answered_at: at }) => (
      <li>
        <Who names={names} id={id} />: {ANSWERS[answer]}
        {channel === null ? "" : `, by ${CHANNELS[channel]}`}
        {at === null ? "" : `, ${dayAndClockOf(at, visit.session.timeZone, visit.now)}`}
      </li>
    ))}
  </ul>
);

const AbsenceFacts = (shown: Shown) => {
  const { visit, absence, names, schedules } = shown;
  const time = { zone: visit.session.timeZone, now: visit.now };
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
        [
          absence.ended_at === null ? "Answer until" : "Asking ended",
          ends && <Moment at={ends} {...time} />,
        ],
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
            cell: (it) => `${schedulesText(schedules, it.schedule_ids)}, layer ${it.layer}`,
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

export const AbsenceDetails = (shown: Shown) => {
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
