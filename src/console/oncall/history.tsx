// The history of a schedule, a view of its page, and the page that confirms the undo of a change.
import { isRefusal } from "../../domain/shared/refusal.ts";
import { formatInstant, HOUR } from "../../domain/shared/time.ts";
import type {
  ScheduleChange,
  ScheduleChangeWithHours,
} from "../../features/oncall/history/contract.ts";
import type { OnCallPreview } from "../../features/oncall/on-call/contract.ts";
import { Pager } from "../../kernel/console/filters.tsx";
import { Button, Form } from "../../kernel/console/form.tsx";
import { labelOf } from "../../kernel/console/labels.ts";
import { lengthOf } from "../../kernel/console/lengths.ts";
import { pageOf } from "../../kernel/console/list-view.ts";
import { Moment } from "../../kernel/console/moment.tsx";
import { Empty, Facts, Heading, Notice } from "../../kernel/console/panel.tsx";
import { done, notDone, pageReply, type Reply } from "../../kernel/console/reply.ts";
import { Table } from "../../kernel/console/table.tsx";
import { textOf } from "../../kernel/console/values.ts";
import { mayChangeAssigned, mayUndo } from "../access/reach.ts";
import { action, type ConsolePage, idOf, type Visit } from "../page.ts";
import { Who } from "../people/person-panels.tsx";
import { allOf, type Names, readNames, type WithNames, type WithVisit } from "../reads.ts";
import { confirmationPage, confirmsChanges, previewedChangesText } from "./events/confirmation.tsx";
import { readPlan } from "./rotation/plan.ts";
import { TitledPlan } from "./rotation/plan-panel.tsx";

const RECORDS: Readonly<Record<ScheduleChange["record_kind"], string>> = {
  absence: "absence",
  account_user: "person",
  calendar_import: "calendar import",
  cover: "cover",
  cover_request: "cover request",
  escalation_policy: "escalation policy",
  event: "shifts",
  schedule: "schedule",
  team: "team",
  unavailability: "absence",
};

/** Of changes that have words of their own. */
const WORDS: Readonly<Record<string, string>> = {
  "account_user delete": "Person left the account",
  "calendar_import read": "Read the imported calendar",
  "cover follow": "Covers adapted to the schedule",
  "cover_request accept": "Accepted a cover request",
  "cover refresh": "Covered all hours again",
  "event add_exception": "Removed a shift",
  "event change_following": "Changed this and following shifts",
  "event create": "Added shifts",
  "event delete": "Removed shifts",
  "event move_part": "Moved a shift",
  "event remove_part": "Removed hours of a shift",
  "event take_over": "Took over a shift",
  "event terminate_on": "Removed this and following shifts",
  "schedule flush": "Removed all events",
};

const VERBS: Readonly<Record<string, string>> = {
  create: "Created",
  update: "Changed",
  delete: "Deleted",
};

/** Fields of an event that say the same as others. */
const DERIVED = ["account_user_ids", "effective_at", "end_time", "event_attendees", "start_time"];

/** `Changed shifts: people` */
function wordsOf(change: ScheduleChange): string {
  const words = changeWords(change);
  return change.corrects_past ? `${words}, also in the past` : words;
}

function changeWords(change: ScheduleChange): string {
  const { verb, record_kind: kind, record_name: name, fields } = change;
  if (verb === "undo") return "Undid a change";
  const own = WORDS[`${kind} ${verb}`];
  const record = RECORDS[kind];
  const what = own ?? `${VERBS[verb] ?? verb.replaceAll("_", " ")} ${record}`;
  const named = name && kind !== "schedule" ? `${what} ${name}` : what;
  const shown = fields.filter((field) => !DERIVED.includes(field));
  const words = shown.map((field) => labelOf(field).toLowerCase());
  return words.length === 0 ? named : `${named}: ${words.join(", ")}`;
}

/** Who made a change: a person, whether by an API key, or the service itself. */
const Author = ({ change, names }: WithNames<{ change: ScheduleChange }>) =>
  change.account_user_id === null ? (
    <span class="soft">Tocsin</span>
  ) : (
    <span>
      <Who names={names} id={change.account_user_id} />
      {change.actor_kind === "key" ? <span class="soft"> by API key</span> : null}
    </span>
  );

const signed = (hours: number) => `${hours > 0 ? "+" : "−"}${lengthOf(hours * HOUR)}`;

/** The hours on call that people got or lost in the six weeks from the change on. */
const ChangedHours = ({ change, names }: WithNames<{ change: ScheduleChangeWithHours }>) => {
  if (!change.hours_known) return <span class="soft">too large to show</span>;
  if (change.hours.length === 0) return <span class="soft">none</span>;
  return (
    <ul>
      {change.hours.map((it) => (
        <li>
          <Who names={names} id={it.account_user_id} /> {signed(it.after - it.before)}
        </li>
      ))}
    </ul>
  );
};

type UndoProps = {
  /** The schedule's page. */
  readonly path: string;
  readonly change: ScheduleChange;
};

export const UndoButton = ({ path, change }: UndoProps) => (
  <Form to={`${path}/changes/${change.prefix_id}/undo`}>
    <Button tone="plain">{change.verb === "undo" ? "Redo" : "Undo"}</Button>
  </Form>
);

/** How long after a change the schedule's page offers to undo it (ms). */
const OFFERED_MS = 60_000;

/** The query of the changes that may still be offered; most often there are none. `now` in epoch ms. */
export const recentChanges = (now: number) => ({
  created_at: formatInstant(now - OFFERED_MS),
  ops: "created_at:gte",
  limit: 3,
});

type JustChangedProps = WithVisit<{
  path: string;
  /** Whether the person may change the schedule. */
  mayChange: boolean;
  /** Of the last minute: those of `recentChanges`. */
  changes: readonly ScheduleChange[];
}>;

/** Offers to undo the change that the person has just made. */
export const JustChanged = ({ visit, path, mayChange, changes }: JustChangedProps) => {
  const own = changes.find(
    (it) =>
      it.account_user_id === visit.session.actor.accountUserId &&
      it.undoable &&
      mayUndo(visit, it, mayChange),
  );
  if (!own) return null;
  return (
    <Notice tone="neutral" title={`${wordsOf(own)}.`}>
      <UndoButton path={path} change={own} />
    </Notice>
  );
};

const LIMIT = 20;

const State = ({ change }: { readonly change: ScheduleChange }) => {
  if (change.undoable) return null;
  if (change.undone_by_id !== null) return <span class="soft">undone</span>;
  // The entry above that it names has no other name on the page.
  return <span class="soft">{change.not_undoable_reason?.replace(/: chg_.*/, "")}</span>;
};

export async function showHistory(visit: Visit): Promise<Reply> {
  const { api, url } = visit;
  const id = idOf(visit);
  const query = { limit: LIMIT, offset: (pageOf(url) - 1) * LIMIT };
  const read = await allOf(
    api.get("/schedules/:id", { id }),
    readNames(api),
    api.get("/schedules/:id/changes", { id, ...query }),
  );
  if (isRefusal(read)) return read;
  const [schedule, names, list] = read;
  const may = mayChangeAssigned(visit, names, "schedule_id", schedule.id);
  const path = `/schedules/${schedule.prefix_id}`;
  const columns = [
    { title: "When", cell: (it: ScheduleChange) => <Moment at={it.created_at} /> },
    { title: "Who", cell: (it: ScheduleChange) => <Author change={it} names={names} /> },
    { title: "What", cell: (it: ScheduleChange) => wordsOf(it) },
    {
      title: "Whose hours in six weeks",
      cell: (it: ScheduleChangeWithHours) => <ChangedHours change={it} names={names} />,
    },
    {
      title: "Undo",
      cell: (it: ScheduleChange) =>
        it.undoable && mayUndo(visit, it, may) ? (
          <UndoButton path={path} change={it} />
        ) : (
          <State change={it} />
        ),
    },
  ];
  return pageReply(
    `History of ${schedule.name}`,
    <>
      <Heading
        title={`History of ${schedule.name}`}
        back={{ to: path, label: schedule.name }}
        lead="Undoing a change restores who is on call from now on. Hours that were served stay."
      />
      <Table
        label="Changes of this schedule"
        rows={list.data}
        columns={columns}
        empty={<Empty title="No changes yet">Every change of the schedule is listed here.</Empty>}
      />
      <Pager limit={LIMIT} total={list.total_count} />
    </>,
  );
}

const namesOf = (names: Names, ids: readonly string[]) =>
  ids.length === 0 ? "nobody" : ids.map((id) => names.of(id)).join(", ");

async function undo(visit: Visit): Promise<Reply> {
  const { api, form, params, now, session } = visit;
  const id = idOf(visit);
  const given = { id, change_id: params.change_id ?? "" };
  const to = `/schedules/${encodeURIComponent(id)}?view=history`;
  const path = "/schedules/:id/changes/:change_id/undo";
  const preview = await api.preview("POST", path, given);
  // A form that is sent twice gets the first answer again, although the change is undone by then.
  const isAsked = textOf(form, "confirmed") !== "";
  if (isAsked && (isRefusal(preview) || confirmsChanges(visit, preview))) {
    const undone = await api.post(path, given);
    return isRefusal(undone) ? notDone(to, undone) : done(to, "Change undone.");
  }
  if (isRefusal(preview)) return notDone(to, preview);
  const read = await allOf(
    api.get("/schedules/:id/changes/:change_id", given),
    api.get("/schedules/:id", { id }),
    readNames(api),
  );
  if (isRefusal(read)) return notDone(to, read);
  const [change, schedule, names] = read;
  const changes = preview.schedules.flatMap((it) => it.changes);
  const layers = [...new Set(changes.map(({ layer }) => layer))];
  const plan = await readPlan(visit, schedule.id, layers.length > 0 ? layers : [1], [preview]);
  const title = change.verb === "undo" ? "Confirm redo" : "Confirm undo";
  return confirmationPage(visit, {
    title,
    lead: preview.unchanged
      ? "Nobody is on call differently afterwards."
      : "From now on everybody is on call as before the change. Hours that were served stay.",
    back: { to, label: "History" },
    confirmed: previewedChangesText(preview, now),
    button: title,
    children: (
      <>
        <Facts
          facts={[
            ["Change", wordsOf(change)],
            ["By", <Author change={change} names={names} />],
            ["When", <Moment at={change.created_at} />],
            ["Hours change for", namesOf(names, affectedBy(preview))],
          ]}
        />
        {isRefusal(plan) ? null : <TitledPlan plan={plan} names={names} zone={session.timeZone} />}
      </>
    ),
  });
}

const affectedBy = ({ schedules }: OnCallPreview): readonly string[] => [
  ...new Set(
    schedules.flatMap(({ hours }) =>
      hours.filter((it) => it.before !== it.after).map((it) => it.account_user_id),
    ),
  ),
];

export const historyPages: readonly ConsolePage[] = [
  action("/schedules/:id/changes/:change_id/undo", undo),
];
