// One absence: its facts, the answers of those who are asked, and the hours that it concerns.
import type { AbsenceWithShifts } from "../../../../contract/oncall/absences/absence.ts";
import type { Schedule } from "../../../../contract/oncall/schedule.ts";
import type { Visit } from "../../../page.ts";
import type { Names } from "../../../shared/names.ts";
import { Everybody, Who } from "../../people/person.tsx";
import { dayAndClockOf, Moment } from "../../shared/moment.tsx";
import { Facts, Panel } from "../../shared/panel.tsx";
import { Table } from "../../shared/table.tsx";
import { AnswerButtons, hoursText, WhoTakesIt } from "./absence-list.tsx";

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

const AbsenceFacts = ({ visit, absence, names, schedules }: Shown) => {
  const time = { zone: visit.session.timeZone, now: visit.now };
  const ends = absence.ended_at ?? absence.expires_at;
  return (
    <Facts
      facts={[
        ["Who is away", <Who names={names} id={absence.account_user_id} />],
        ["When", hoursText(absence, visit)],
        ["Who takes it", <WhoTakesIt absence={absence} names={names} />],
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

const Asked = ({ visit, absence, names }: Shown) => (
  <Panel title="Asked" id="asked">
    <Table
      label="People who are asked"
      rows={absence.asked}
      columns={[
        { title: "Person", cell: (it) => <Who names={names} id={it.account_user_id} /> },
        {
          title: "Answer",
          cell: ({ answer, channel }) =>
            `${ANSWERS[answer]}${channel === null ? "" : `, by ${CHANNELS[channel]}`}`,
        },
        {
          title: "When",
          cell: ({ answered_at: at }) =>
            at === null ? "–" : dayAndClockOf(at, visit.session.timeZone, visit.now),
        },
      ]}
    />
  </Panel>
);

const Hours = ({ visit, absence, names, schedules }: Shown) => {
  const when = (at: string) => dayAndClockOf(at, visit.session.timeZone, visit.now);
  const rows = [
    ...absence.shifts,
    ...absence.uncovered.map((it) => ({ ...it, account_user_ids: null })),
  ].toSorted((one, other) => Date.parse(one.start_time) - Date.parse(other.start_time));
  return (
    <Panel title="Shifts" id="shifts">
      <Table
        label="Shifts in this time"
        rows={rows}
        columns={[
          { title: "From", cell: (it) => when(it.start_time) },
          { title: "Until", cell: (it) => when(it.end_time) },
          { title: "Layer", cell: (it) => it.layer },
          { title: "Schedules", cell: (it) => schedulesText(schedules, it.schedule_ids) },
          {
            title: "On call",
            cell: ({ account_user_ids: ids }) =>
              ids === null ? (
                <span class="gap-text">still {names.of(absence.account_user_id)}</span>
              ) : ids.length === 0 ? (
                <span class="gap-text">nobody</span>
              ) : (
                <Everybody names={names} ids={ids} />
              ),
          },
          {
            title: "Change",
            kind: "actions",
            cell: (it) => (
              <a href={`/events/${it.event_id}?at=${encodeURIComponent(it.start_time)}`}>Open</a>
            ),
          },
        ]}
        empty={<p class="soft">No shifts in this time.</p>}
      />
    </Panel>
  );
};

export const AbsenceDetails = (shown: Shown) => (
  <>
    <Panel>
      <AbsenceFacts {...shown} />
      <AnswerButtons {...shown} back={shown.visit.url.pathname} />
    </Panel>
    {shown.absence.asked.length > 0 ? <Asked {...shown} /> : null}
    <Hours {...shown} />
  </>
);
