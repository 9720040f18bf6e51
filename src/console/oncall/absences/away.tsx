// Who is away: everybody's absences.
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { DAY, formatInstant } from "../../../domain/shared/time.ts";
import { Chips } from "../../../kernel/console/filters.tsx";
import { Heading } from "../../../kernel/console/panel.tsx";
import type { Reply } from "../../../kernel/console/reply.ts";
import { allOf } from "../../api.ts";
import { readNames } from "../../names.ts";
import { type ConsolePage, page, type Visit } from "../../page.ts";
import { OnCallViews } from "../on-call-views.tsx";
import { hoursStillOnCall } from "../still-on-call.ts";
import { AbsenceList } from "./absence-list.tsx";

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

export const awayPages: readonly ConsolePage[] = [page("/absences", list)];
