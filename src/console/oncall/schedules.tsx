// The list of schedules, and the form that creates one.
import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import type { Schedule } from "../../features/oncall/schedules/contract.ts";
import { CreateSchedule } from "../../features/oncall/schedules/parameters.ts";
import { Badge } from "../../kernel/console/badge.tsx";
import { declareForm } from "../../kernel/console/declared-form.ts";
import { Button } from "../../kernel/console/form.tsx";
import { FieldsForm } from "../../kernel/console/form-fields.tsx";
import { Empty, Heading, Panel } from "../../kernel/console/panel.tsx";
import { RecordList } from "../../kernel/console/record-list.tsx";
import { done } from "../../kernel/console/replies.ts";
import type { Reply } from "../../kernel/console/reply.ts";
import { allOf } from "../api.ts";
import { type Names, readNames } from "../names.ts";
import { action, type ConsolePage, page, type Visit } from "../page.ts";
import { isAdmin } from "../resource-pages.tsx";

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
