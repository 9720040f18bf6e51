// Absences in a list: who is away, when, who takes it, and the answers that are left.
import type { AbsenceStatus } from "../../../domain/oncall/absences/absence-record.ts";
import type { Interval } from "../../../domain/oncall/override-precedence.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import type { Absence } from "../../../features/oncall/absences/contract.ts";
import type { OnCallPreview } from "../../../features/oncall/on-call/contract.ts";
import { Badge, type Tone } from "../../../kernel/console/badge.tsx";
import { ActionButton } from "../../../kernel/console/form.tsx";
import { dayAndClockOf } from "../../../kernel/console/moment.tsx";
import { Notice } from "../../../kernel/console/panel.tsx";
import { RecordList } from "../../../kernel/console/record-list.tsx";
import type { Column } from "../../../kernel/console/table.tsx";
import type { Visit } from "../../page.ts";
import { Everybody, Who } from "../../people/person-panels.tsx";
import type { Names, PageProps, WithVisit } from "../../reads.ts";

export const absencePath = (id: string): string => `/absences/${id}`;

export type StillOnCall = Interval & { readonly absence: Absence; readonly layer: number };

/** `Fri 21 Nov 14:00 – Fri 21 Nov 18:00`. */
export const hoursText = (
  hours: { readonly start_datetime: string; readonly end_datetime: string },
  { session, now }: Visit,
): string =>
  `${dayAndClockOf(hours.start_datetime, session.timeZone, now)} – ${dayAndClockOf(hours.end_datetime, session.timeZone, now)}`;

/** The same of a span in epoch ms. */
export const spanText = ({ startAt, endAt }: Interval, visit: Visit): string =>
  hoursText({ start_datetime: formatInstant(startAt), end_datetime: formatInstant(endAt) }, visit);

/** The states of an absence for which others were asked. */
const ASKED: Readonly<Record<AbsenceStatus, readonly [Tone, string] | null>> = {
  uncovered: null,
  covered: null,
  asking: ["busy", "asking"],
  declined: ["warn", "declined by everybody"],
  expired: ["warn", "nobody accepted"],
  cancelled: ["quiet", "taken back"],
};

const MOST_NAMED = 3;

/** Those who are asked: few by name, of many how many have declined. */
const Asked = ({ asked, names }: { readonly asked: Absence["asked"]; readonly names: Names }) => {
  const declined = asked.filter(({ answer }) => answer === "declined").length;
  return asked.length <= MOST_NAMED ? (
    <Everybody names={names} ids={asked.map(({ account_user_id: id }) => id)} />
  ) : (
    <span>{`${asked.length} people${declined > 0 ? `, ${declined} declined` : ""}`}</span>
  );
};

type AbsenceProps = {
  readonly absence: Absence;
  readonly names: Names;
  /** Whether the person may have shifts in this time: if nobody takes them, that is a warning. */
  readonly hasShifts?: boolean;
};

/** Who takes it, or what has come of asking. */
export const WhoTakesIt = ({ absence, names, hasShifts = true }: AbsenceProps) => {
  const { instead, status, covering_account_user_id: substitute, asked } = absence;
  const state = ASKED[status];
  if (instead === "ask" && state !== null) {
    return (
      <>
        <Badge tone={state[0]}>{state[1]}</Badge>{" "}
        {status === "asking" ? <Asked asked={asked} names={names} /> : null}
      </>
    );
  }
  switch (instead) {
    case "nobody_yet":
      return <Badge tone={hasShifts ? "warn" : "quiet"}>nobody yet</Badge>;
    case "next_in_line":
      return <>the next in line</>;
    case "empty":
      return <>nobody, on purpose</>;
    default:
      return substitute === null ? (
        <span class="soft">left the account</span>
      ) : (
        <Who names={names} id={substitute} />
      );
  }
};

const answerOf = ({ asked }: Absence, person: string) =>
  asked.find((it) => it.account_user_id === person)?.answer ?? null;

export const isAnswerable = (absence: Absence, { session }: Visit): boolean =>
  absence.status === "asking" && answerOf(absence, session.actor.accountUserId) !== null;

type AnswerButtonsProps = WithVisit<{ absence: Absence; back: string }>;

/** The answers that the viewer may still give; after one, the page `back` is shown. */
export const AnswerButtons = ({ visit, absence, back }: AnswerButtonsProps) => {
  if (!isAnswerable(absence, visit)) return null;
  const to = absencePath(absence.prefix_id);
  const fields = { back };
  return (
    <div class="buttons">
      <ActionButton {...{ to: `${to}/accept`, fields }} label="Accept" tone="primary" />
      {answerOf(absence, visit.session.actor.accountUserId) === "declined" ? (
        <span class="soft">You have declined.</span>
      ) : (
        <ActionButton {...{ to: `${to}/decline`, fields }} label="Decline" />
      )}
    </div>
  );
};

/** `Fri 21 Nov 14:00 – Fri 21 Nov 18:00, and 2 more`; empty: none. */
function stillOnCallText([first, ...others]: readonly StillOnCall[], visit: Visit): string {
  if (first === undefined) return "";
  const text = spanText(first, visit);
  return others.length === 0 ? text : `${text}, and ${others.length} more`;
}

type ListProps = PageProps<{
  label: string;
  absences: readonly Absence[];
  empty: string;
  /** The hours in which people are still on call; absent: not shown. */
  stillOnCall?: readonly StillOnCall[];
  /** One of several lists of a page: without search, sorting and pages. */
  isPart?: boolean;
}>;

export const AbsenceList = (props: ListProps) => {
  const { visit, label, absences, names, empty, stillOnCall, isPart = false } = props;
  const { now } = visit;
  const isNow = (it: Absence) =>
    Date.parse(it.start_datetime) <= now && now < Date.parse(it.end_datetime);
  const byAbsence = Map.groupBy(stillOnCall ?? [], ({ absence }) => absence.id);
  const hasShifts = ({ id }: Absence) => stillOnCall === undefined || byAbsence.has(id);
  const columns: readonly Column<Absence>[] = [
    {
      title: "Who is away",
      cell: (it) => (
        <>
          <a href={absencePath(it.prefix_id)}>
            <Who names={names} id={it.account_user_id} />
          </a>
          {it.source === "calendar" ? (
            <>
              {" "}
              <Badge tone="quiet">from a calendar</Badge>
            </>
          ) : null}
        </>
      ),
      by: (it) => names.of(it.account_user_id),
    },
    {
      title: "When",
      cell: (it) => (
        <>
          {hoursText(it, visit)} {isNow(it) ? <Badge tone="busy">away now</Badge> : null}
        </>
      ),
      by: (it) => Date.parse(it.start_datetime),
    },
    { title: "Reason", cell: ({ reason }) => reason, by: ({ reason }) => reason ?? "" },
    {
      title: "Who takes it",
      cell: (it) => (
        <>
          <WhoTakesIt absence={it} names={names} hasShifts={hasShifts(it)} />
          {it.in_return ? <div class="soft">in return {hoursText(it.in_return, visit)}</div> : null}
        </>
      ),
      by: (it) => names.of(it.covering_account_user_id),
    },
    {
      title: "Still on call",
      cell: ({ id }) =>
        byAbsence.has(id) ? (
          <span class="gap-text">{stillOnCallText(byAbsence.get(id) ?? [], visit)}</span>
        ) : null,
    },
    {
      title: "Answer",
      cell: (it) => <AnswerButtons {...{ visit, absence: it, back: visit.url.pathname }} />,
    },
  ];
  const isShown = ({ title }: Column<Absence>) =>
    (title !== "Reason" || absences.some(({ reason }) => reason)) &&
    (title !== "Still on call" || stillOnCall !== undefined) &&
    (title !== "Answer" || absences.some((it) => isAnswerable(it, visit)));
  return (
    <RecordList
      {...{ isPart, label, rows: absences, columns: columns.filter(isShown) }}
      keep={["state"]}
      empty={<p class="soft">{empty}</p>}
    />
  );
};

const WARNINGS: Readonly<Record<string, string>> = {
  nobody_yet: "Nobody has said who takes the shifts. The person stays on call.",
  substitute_absent: "Who takes it is away too in this time.",
  substitute_left: "Who was to take it has left the account. The person stays on call.",
  nobody_found: "Nobody was found for some shifts. The person stays on call in them.",
  no_shifts: "The person has no shifts in this time. It holds for shifts that are added later.",
};

export const AbsenceWarnings = ({ warnings }: Pick<OnCallPreview, "warnings">) => (
  <>
    {(warnings ?? []).map(({ reason, message }) => (
      <Notice tone="warn">{WARNINGS[reason] ?? message}</Notice>
    ))}
  </>
);
