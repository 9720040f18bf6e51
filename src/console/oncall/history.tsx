// The history of a schedule, a view of its page, and the page that confirms the undo of a change.

import { isRefusal } from "../../domain/shared/refusal.ts";
import type {
  ScheduleChange,
  ScheduleChangeWithHours,
} from "../../features/oncall/history/contract.ts";
import type { OnCallPreview } from "../../features/oncall/on-call/contract.ts";
import { Pager } from "../../kernel/console/filters.tsx";
import { pageOf } from "../../kernel/console/list-view.ts";
import { Moment } from "../../kernel/console/moment.tsx";
import { Empty, Facts, Heading } from "../../kernel/console/panel.tsx";
import { done, notDone, pageReply, type Reply } from "../../kernel/console/reply.ts";
import { Table } from "../../kernel/console/table.tsx";
import { textOf } from "../../kernel/console/values.ts";
import { mayChangeAssigned, mayUndo } from "../access/reach.ts";
import { action, type ConsolePage, idOf, type Visit } from "../page.ts";
import { allOf, type Names, readNames } from "../reads.ts";
import { wordsOf } from "./events/change-words.ts";
import { confirmationPage, confirmsChanges, previewedChangesText } from "./events/confirmation.tsx";
import { Author, ChangedHours, UndoButton } from "./history-list.tsx";
import { readPlan } from "./rotation/plan.ts";
import { TitledPlan } from "./rotation/plan-panel.tsx";

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

/** Whose hours an undo changes. */
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
