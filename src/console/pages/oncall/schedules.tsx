// The list of schedules, and the form that creates one.
import type { Schedule } from "../../../contract/oncall/schedule.ts";
import { CreateSchedule } from "../../../contract/oncall/schedule-parameters.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import { declareForm } from "../../forms/declared-form.ts";
import { FieldsForm } from "../../forms/form-fields.tsx";
import { action, type ConsolePage, page, type Reply, type Visit } from "../../page.ts";
import { RecordList } from "../../parts/lists/record-list.tsx";
import { Badge } from "../../parts/shared/badge.tsx";
import { Button } from "../../parts/shared/form.tsx";
import { Empty, Heading, Panel } from "../../parts/shared/panel.tsx";
import { allOf } from "../../shared/api.ts";
import { type Names, readNames } from "../../shared/names.ts";
import { done } from "../../shared/replies.ts";
import { isAdmin } from "../../shared/resource-pages.tsx";

const FORM = declareForm(CreateSchedule, [
  {
    name: "name",
    label: "Name",
    help: "For a team that switches to it later, or for several teams.",
  },
]);

const teamNames = (names: Names, schedule: Schedule) =>
  names.teams
    .filter((team) => team.schedule_id === schedule.id)
    .map(({ name }) => name)
    .join(", ");

async function show(visit: Visit, refusal: Refusal | null = null): Promise<Reply> {
  const read = await allOf(visit.api.every("/schedules"), readNames(visit.api));
  if (isRefusal(read)) return read;
  const [schedules, names] = read;
  return {
    kind: "page",
    status: refusal ? 422 : 200,
    title: "Schedules",
    section: "schedules",
    body: (
      <>
        <Heading title="Schedules" lead="Who is on call, by layer." />
        <RecordList
          url={visit.url}
          label="Schedules"
          initial="Name"
          rows={schedules}
          columns={[
            {
              title: "Name",
              cell: (it) => <a href={`/schedules/${it.prefix_id}`}>{it.name}</a>,
              by: ({ name }) => name,
            },
            {
              title: "Used by",
              cell: (it) => teamNames(names, it) || <Badge tone="warn">no teams</Badge>,
              by: (it) => teamNames(names, it),
            },
          ]}
          empty={
            <Empty
              title="No schedules yet"
              {...(isAdmin(visit) && { next: { to: "/teams/new", label: "Create team" } })}
            >
              A new team gets a schedule. Create the team first, then add shifts.
            </Empty>
          }
        />
        {isAdmin(visit) ? (
          <Panel title="Create schedule" id="new">
            <FieldsForm
              to="/schedules"
              session={visit.session}
              form={FORM}
              state={{ values: visit.form, refusal }}
            >
              <Button tone="plain">Create schedule</Button>
            </FieldsForm>
          </Panel>
        ) : null}
      </>
    ),
  };
}

async function create(visit: Visit): Promise<Reply> {
  const created = await visit.api.post("/schedules", FORM.bodyOf(visit.form));
  if (isRefusal(created)) return created.reason === "invalid" ? show(visit, created) : created;
  return done(`/schedules/${created.prefix_id}`, "Schedule created. Add a shift next.");
}

export const schedulesPages: readonly ConsolePage[] = [
  page("/schedules", (visit) => show(visit)),
  action("/schedules", create),
];
