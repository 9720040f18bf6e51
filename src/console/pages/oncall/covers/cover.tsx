// A cover: its shifts, what it does not cover, its form, and taking it back.
import type { CoverWithShifts } from "../../../../contract/oncall/covers/cover.ts";
import type { Schedule } from "../../../../contract/oncall/schedule.ts";
import { isRefusal, type Refusal } from "../../../../domain/shared/refusal.ts";
import { mayCover } from "../../../access/reach.ts";
import { FieldsForm } from "../../../forms/form-fields.tsx";
import { COVER_FORM, coverBodyOf, shownCover } from "../../../oncall/cover-form.ts";
import { action, type ConsolePage, idOf, page, type Reply, type Visit } from "../../../page.ts";
import { CoverWarnings } from "../../../parts/oncall/changes/previewed-changes.tsx";
import { CoveredBy, CoverState } from "../../../parts/oncall/covers/cover-list.tsx";
import { Everybody, Who } from "../../../parts/people/person.tsx";
import { ActionButton, Button } from "../../../parts/shared/form.tsx";
import { dayAndClockOf, Moment } from "../../../parts/shared/moment.tsx";
import { Facts, Heading, Panel } from "../../../parts/shared/panel.tsx";
import { Table } from "../../../parts/shared/table.tsx";
import { allOf } from "../../../shared/api.ts";
import { changedParameters, NOTHING_CHANGED } from "../../../shared/changed.ts";
import { type Names, readNames } from "../../../shared/names.ts";
import { done, notDone, redisplayForm, statusAfter } from "../../../shared/replies.ts";
import { confirmChanges, confirmsChanges } from "../changes/confirm-changes.tsx";
import { COVERS } from "./covers.tsx";

const pathOf = ({ params }: Visit) => `/covers/${encodeURIComponent(params.id ?? "")}`;

type CoverProps = {
  readonly visit: Visit;
  readonly cover: CoverWithShifts;
  readonly names: Names;
  readonly schedules: readonly Schedule[];
};

const schedulesText = (schedules: readonly Schedule[], ids: readonly string[]) =>
  ids.map((id) => schedules.find((it) => it.id === id)?.name ?? "deleted").join(", ");

const CoverFacts = ({ visit, cover, names, schedules }: CoverProps) => {
  const time = { zone: visit.session.timeZone, now: visit.now };
  return (
    <Facts
      facts={[
        ["Status", <CoverState cover={cover} now={visit.now} />],
        ["Who is away", <Who names={names} id={cover.account_user_id} />],
        ["From", <Moment at={cover.start_datetime} {...time} />],
        ["Until", <Moment at={cover.end_datetime} {...time} />],
        ["Covered by", <CoveredBy cover={cover} names={names} />],
        ["Schedules", schedulesText(schedules, cover.schedule_ids) || "all"],
        ["Reason", cover.reason],
      ]}
    />
  );
};

const Hours = ({ visit, cover, names, schedules }: CoverProps) => {
  const when = (at: string) => dayAndClockOf(at, visit.session.timeZone, visit.now);
  const hours = <Row extends CoverWithShifts["uncovered"][number]>() =>
    [
      { title: "From", cell: (it: Row) => when(it.start_time) },
      { title: "Until", cell: (it: Row) => when(it.end_time) },
      { title: "Layer", cell: (it: Row) => it.layer },
      { title: "Schedules", cell: (it: Row) => schedulesText(schedules, it.schedule_ids) },
    ] as const;
  return (
    <>
      <Panel title="Covered shifts" id="shifts">
        <Table
          label="Covered shifts"
          rows={cover.shifts}
          columns={[
            ...hours<CoverWithShifts["shifts"][number]>(),
            {
              title: "On call instead",
              cell: (it) =>
                it.account_user_ids.length === 0 ? (
                  "nobody"
                ) : (
                  <Everybody names={names} ids={it.account_user_ids} />
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
          empty={<p class="soft">No shifts are covered.</p>}
        />
      </Panel>
      {cover.uncovered.length > 0 ? (
        <Panel title="Not covered" id="uncovered">
          <p class="help">In these hours the person is still on call.</p>
          <Table label="Hours that are not covered" rows={cover.uncovered} columns={hours()} />
          {mayCover(visit, names) ? (
            <ActionButton
              to={`${pathOf(visit)}/refresh`}
              session={visit.session}
              label="Cover all hours again"
              tone="plain"
            />
          ) : null}
        </Panel>
      ) : null}
    </>
  );
};

async function show(visit: Visit, refusal: Refusal | null = null): Promise<Reply> {
  const { api, session } = visit;
  const read = await allOf(
    api.get("/covers/:id", { id: idOf(visit) }),
    readNames(api),
    api.every("/schedules"),
  );
  if (isRefusal(read)) return read;
  const [cover, names, schedules] = read;
  const title = `Cover of ${names.of(cover.account_user_id)}`;
  const shown = { visit, cover, names, schedules };
  const values = { ...(refusal ? visit.form : cover), zone: session.timeZone };
  const isOver = Date.parse(cover.end_datetime) <= visit.now;
  const body = (
    <div class="narrow">
      <Heading title={title} back={COVERS} lead={`All times in ${session.timeZone}`} />
      {isOver ? null : <CoverWarnings warnings={cover.warnings} />}
      <Panel>
        <CoverFacts {...shown} />
      </Panel>
      <Hours {...shown} />
      {mayCover(visit, names) ? (
        <>
          <Panel title="Change cover" id="change">
            <FieldsForm
              to={pathOf(visit)}
              session={session}
              form={COVER_FORM}
              state={{ values, refusal, names, schedules, zone: session.timeZone }}
            >
              <Button>Show changes</Button>
            </FieldsForm>
          </Panel>
          <ActionButton
            to={`${pathOf(visit)}/delete`}
            session={session}
            label={isOver ? "Delete cover" : "Take cover back"}
            tone="danger"
          />
        </>
      ) : null}
    </div>
  );
  const status = statusAfter(refusal);
  return { kind: "page", status, title, section: "on-call", body };
}

async function update(visit: Visit): Promise<Reply> {
  const { api, form, session } = visit;
  const id = idOf(visit);
  const cover = await api.get("/covers/:id", { id });
  if (isRefusal(cover)) return cover;
  const zone = session.timeZone;
  const changes = changedParameters(coverBodyOf(form, zone), shownCover(cover, zone));
  if (Object.keys(changes).length === 0) return done(pathOf(visit), NOTHING_CHANGED);
  const again = (refusal: Refusal) => redisplayForm(refusal, (why) => show(visit, why));
  const preview = await api.preview("PUT", "/covers/:id", { ...changes, id });
  if (isRefusal(preview)) return again(preview);
  if (!preview.unchanged && !confirmsChanges(visit, preview)) {
    const texts = { title: "Confirm changes", button: "Confirm changes" };
    return confirmChanges(visit, preview, { ...texts, back: backTo(visit) });
  }
  const changed = await api.put("/covers/:id", { ...changes, id });
  return isRefusal(changed) ? again(changed) : done(pathOf(visit), "Changes saved.");
}

const backTo = (visit: Visit) => ({ to: pathOf(visit), label: "Cover" });

async function refresh(visit: Visit): Promise<Reply> {
  const refreshed = await visit.api.post("/covers/:id/refresh", { id: idOf(visit) });
  if (isRefusal(refreshed)) return notDone(pathOf(visit), refreshed);
  return done(pathOf(visit), "All hours are covered again as far as somebody was found.");
}

async function remove(visit: Visit): Promise<Reply> {
  const { api } = visit;
  const id = idOf(visit);
  const preview = await api.preview("DELETE", "/covers/:id", { id });
  if (isRefusal(preview)) return notDone(pathOf(visit), preview);
  if (!preview.unchanged && !confirmsChanges(visit, preview)) {
    const texts = { title: "Take cover back", button: "Take cover back", tone: "danger" } as const;
    return confirmChanges(visit, preview, { ...texts, back: backTo(visit) });
  }
  const removed = await api.delete("/covers/:id", { id });
  return isRefusal(removed) ? notDone(pathOf(visit), removed) : done("/covers", "Cover deleted.");
}

export const coverPages: readonly ConsolePage[] = [
  page("/covers/:id", (visit) => show(visit)),
  action("/covers/:id", update),
  action("/covers/:id/refresh", refresh),
  action("/covers/:id/delete", remove),
];
