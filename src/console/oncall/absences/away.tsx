// Away and covers: what is asked of the viewer, their shifts and absences, then everybody's absences; the form of a
// new absence is above them.
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { DAY, formatInstant } from "../../../domain/shared/time.ts";
import type { Absence } from "../../../features/oncall/absences/contract.ts";
import { Chips } from "../../../kernel/console/filters.tsx";
import { Heading, LinkButton, Panel } from "../../../kernel/console/panel.tsx";
import { pageReply, type Reply } from "../../../kernel/console/reply.ts";
import { type ConsolePage, page, type Visit } from "../../page.ts";
import { allOf, type PageProps, readNames } from "../../reads.ts";
import { MyShifts } from "../my-shifts.tsx";
import { OnCallViews } from "../on-call-views.tsx";
import { hoursStillOnCall } from "../still-on-call.ts";
import { AbsenceEditor, readRotation, type Submitted } from "./absence-editor.tsx";
import { AbsenceList, isAnswerable } from "./absence-list.tsx";

/** How far ahead own shifts, and shifts of people who are away, are looked for. */
const AHEAD_DAYS = 60;

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
