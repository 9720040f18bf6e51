// Away and covers: what is asked of the viewer, their shifts and absences, then everybody's absences; the form of a
// new absence is above them.
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { DAY, formatInstant } from "../../../domain/shared/time.ts";
import type { Absence } from "../../../features/oncall/absences/contract.ts";
import type { OnCallEntry } from "../../../features/oncall/on-call/contract.ts";
import type { Schedule } from "../../../features/oncall/schedules/contract.ts";
import { Badge } from "../../../kernel/console/badge.tsx";
import { Chips } from "../../../kernel/console/filters.tsx";
import { isWhole, Unfold } from "../../../kernel/console/folded.tsx";
import { lengthOf } from "../../../kernel/console/lengths.ts";
import { dayAndClockOf } from "../../../kernel/console/moment.tsx";
import { Heading, LinkButton, Panel } from "../../../kernel/console/panel.tsx";
import { pageReply, type Reply } from "../../../kernel/console/reply.ts";
import { Table } from "../../../kernel/console/table.tsx";
import { mayChangeAssigned } from "../../access/reach.ts";
import { type ConsolePage, page, type Visit } from "../../page.ts";
import { allOf, type PageProps, readNames } from "../../reads.ts";
import { hoursStillOnCall } from "../conflicts.tsx";
import { OnCallViews } from "../on-call-views.tsx";
import { AbsenceEditor, readRotation, type Submitted } from "./absence-editor.tsx";
import { shiftAbsencePath } from "./absence-form.ts";
import { AbsenceList, isAnswerable } from "./absence-list.tsx";

/** How far ahead own shifts, and shifts of people who are away, are looked for. */
const AHEAD_DAYS = 60;

/** More are behind a link. */
const FEW_SHIFTS = 5;

type ShiftsProps = PageProps<{
  shifts: readonly OnCallEntry[];
  schedules: readonly Schedule[];
  /** How many days ahead they are. */
  days: number;
}>;

const shiftPath = ({ event_id, start_time, schedule_id }: OnCallEntry, change: string) =>
  `/events/${event_id}?${new URLSearchParams({
    ...{ at: start_time, schedule: schedule_id },
    ...(change !== "" && { change }),
  })}`;

const MyShifts = ({ visit, shifts, schedules, names, days }: ShiftsProps) => {
  const { now, session, url } = visit;
  const shown = isWhole(url, "shifts") ? shifts : shifts.slice(0, FEW_SHIFTS);
  const when = (at: string) => dayAndClockOf(at, session.timeZone, now);
  if (shifts.length === 0)
    return <p class="soft">{`You are not on call in the next ${days} days.`}</p>;
  return (
    <>
      <Table
        label="My shifts"
        rows={shown}
        columns={[
          {
            title: "Start",
            cell: ({ start_time }) => (
              <>
                {when(start_time)}{" "}
                {Date.parse(start_time) <= now ? <Badge tone="busy">now</Badge> : null}
              </>
            ),
          },
          {
            title: "End",
            cell: ({ start_time, end_time }) => (
              <>
                {when(end_time)}{" "}
                <span class="soft">{lengthOf(Date.parse(end_time) - Date.parse(start_time))}</span>
              </>
            ),
          },
          {
            title: "Schedule",
            cell: ({ schedule_id: id, layer }) => (
              <>
                <a href={`/schedules/${id}`}>
                  {schedules.find((it) => it.id === id)?.name ?? "Schedule"}
                </a>
                , step {layer}
              </>
            ),
          },
          {
            title: "Change",
            kind: "actions",
            cell: (it) => (
              <div class="buttons">
                <a href={shiftAbsencePath(it)}>I can't</a>
                {mayChangeAssigned(visit, names, "schedule_id", it.schedule_id) ? (
                  <a href={shiftPath(it, "override")}>Override</a>
                ) : (
                  <a href={shiftPath(it, "")}>Open</a>
                )}
              </div>
            ),
          },
        ]}
      />
      {shown.length < shifts.length ? (
        <Unfold part="shifts">{`All ${shifts.length} shifts of the next ${days} days`}</Unfold>
      ) : null}
    </>
  );
};

type MineProps = PageProps<{
  /** Those that are not over. */
  absences: readonly Absence[];
}>;

/** What is asked of the viewer, and their own absences; nothing if there are none. */
const Mine = ({ visit, names, absences }: MineProps) => {
  const own = visit.session.actor.accountUserId;
  const parts = [
    ["Asked of me", absences.filter((it) => isAnswerable(it, visit))],
    ["My absences", absences.filter((it) => it.account_user_id === own)],
  ] as const;
  return parts.map(([label, absences]) =>
    absences.length === 0 ? null : (
      <Panel title={label}>
        <AbsenceList {...{ visit, names, absences, label }} empty="" isPart />
      </Panel>
    ),
  );
};

/** The absences of one state, and what only the page of the coming ones shows. */
function readAbsences({ api, now, session }: Visit, isPast: boolean) {
  const at = formatInstant(now);
  if (isPast) {
    const over = { ops: "end_datetime:lt", sort: "end_datetime", direction: "desc" };
    return allOf(api.every("/absences", { ...over, end_datetime: at }), [], []);
  }
  const coming = { ops: "end_datetime:gte", sort: "start_datetime", direction: "asc" };
  const window = { start: at, end: formatInstant(now + AHEAD_DAYS * DAY) };
  return allOf(
    api.every("/absences", { ...coming, end_datetime: at }),
    api.get("/oncall", window),
    api.get("/account_users/:id/window_events", { id: session.actor.accountUserId, ...window }),
  );
}

/** @param submitted the form of a new absence, if it is shown again */
export async function showAway(visit: Visit, submitted: Submitted | null = null): Promise<Reply> {
  const { api, now, session, query } = visit;
  const isPast = query.get("state") === "past";
  const isAdding = submitted !== null || query.has("add");
  const read = await allOf(
    readNames(api),
    api.every("/schedules"),
    readAbsences(visit, isPast),
    isAdding ? readRotation(visit) : [],
  );
  if (isRefusal(read)) return read;
  const [names, schedules, [absences, onCall, shifts], rotation] = read;
  const entries = onCall.flatMap((team) => team.entries);
  const until = now + AHEAD_DAYS * DAY;
  const title = "Away and covers";
  const body = (
    <>
      <Heading title={title} lead={`All times in ${session.timeZone}`}>
        <OnCallViews path="/absences" />
        {isAdding ? null : (
          <LinkButton to="/absences?add=1" tone="primary">
            Add absence
          </LinkButton>
        )}
      </Heading>
      <div class="stack">
        {isAdding ? (
          <>
            <h2>Add absence</h2>
            <AbsenceEditor {...{ visit, absence: null, names, schedules, rotation, submitted }} />
          </>
        ) : null}
        {isPast ? null : (
          <>
            <Mine {...{ visit, names, absences }} />
            <Panel title="My shifts" id="shifts">
              <MyShifts {...{ visit, names, schedules, shifts, days: AHEAD_DAYS }} />
            </Panel>
          </>
        )}
        <h2>Everybody</h2>
        <Chips
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
          {...(!isPast && { stillOnCall: hoursStillOnCall(entries, absences, now, until) })}
        />
      </div>
    </>
  );
  return pageReply(title, body, submitted?.refusal ?? null);
}

export const awayPages: readonly ConsolePage[] = [page("/absences", (visit) => showAway(visit))];
