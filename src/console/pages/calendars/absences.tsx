// Absences: when people are away, and the form that adds one.
import type { Unavailability } from "../../../contract/calendars/unavailability.ts";
import { CreateUnavailability } from "../../../contract/calendars/unavailability-parameters.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import { formatInstant, parseWallClock } from "../../../domain/shared/time.ts";
import { type DeclaredForm, declareForm, type FormState } from "../../forms/declared-form.ts";
import { FieldsForm } from "../../forms/form-fields.tsx";
import { action, type ConsolePage, page, type Reply, type Visit } from "../../page.ts";
import { RecordList } from "../../parts/lists/record-list.tsx";
import { OnCallViews } from "../../parts/oncall/on-call-views.tsx";
import { Who } from "../../parts/people/person.tsx";
import { Badge } from "../../parts/shared/badge.tsx";
import { ActionButton, Button } from "../../parts/shared/form.tsx";
import { Moment } from "../../parts/shared/moment.tsx";
import { Heading, Panel } from "../../parts/shared/panel.tsx";
import { allOf } from "../../shared/api.ts";
import { type Names, readNames } from "../../shared/names.ts";
import { done, notDone, redisplayForm, statusAfter } from "../../shared/replies.ts";
import { isAdmin } from "../../shared/resource-pages.tsx";
import { textOf } from "../../shared/values.ts";
import { askBeforeChanges } from "../oncall/changes/confirm-changes.tsx";

type State = FormState & { readonly names: Names; readonly visit: Visit };

/** The person of a new record: the viewer, or for an admin anyone. */
const personChoices = ({ names, visit }: State) => {
  const own = visit.session.actor.accountUserId;
  const people = isAdmin(visit) ? names.people : names.people.filter(({ id }) => id === own);
  return people.map(({ id, user }) => ({ value: id, label: user.name }));
};

const PERSON = {
  name: "account_user_id",
  label: "Person",
  choices: personChoices,
  source: "people",
} as const;

const ABSENCE: DeclaredForm<State> = declareForm(CreateUnavailability, [
  PERSON,
  {
    fields: [
      { name: "start_datetime", label: "From", type: "datetime-local" },
      { name: "end_datetime", label: "Until", type: "datetime-local" },
    ],
  },
  { name: "reason", label: "Reason", help: "Only the person and admins see it." },
]);

type AbsencesProps = {
  readonly visit: Visit;
  readonly names: Names;
  readonly absences: readonly Unavailability[];
};

const Absences = ({ visit, names, absences }: AbsencesProps) => {
  const { session, now } = visit;
  const time = { zone: session.timeZone, now };
  const mayRemove = ({ account_user_id, imported }: Unavailability) =>
    !imported && (isAdmin(visit) || account_user_id === session.actor.accountUserId);
  return (
    <RecordList
      url={visit.url}
      label="Absences"
      rows={absences}
      columns={[
        {
          title: "Person",
          cell: (it) => <Who names={names} id={it.account_user_id} />,
          by: (it) => names.of(it.account_user_id),
        },
        {
          title: "From",
          cell: (it) => <Moment at={it.start_datetime} {...time} />,
          by: (it) => Date.parse(it.start_datetime),
        },
        {
          title: "Until",
          cell: (it) => <Moment at={it.end_datetime} {...time} />,
          by: (it) => Date.parse(it.end_datetime),
        },
        {
          title: "Reason",
          by: ({ reason }) => reason ?? "",
          cell: ({ reason, imported }) => (
            <>
              {reason} {imported ? <Badge tone="quiet">from a calendar</Badge> : null}
            </>
          ),
        },
        {
          title: "Change",
          kind: "actions",
          cell: (it) =>
            mayRemove(it) ? (
              <ActionButton
                to={`/absences/${it.prefix_id}/remove`}
                session={session}
                label="Remove"
              />
            ) : null,
        },
      ]}
      empty={<p class="soft">Nobody is away.</p>}
    />
  );
};

async function show(visit: Visit, refusal: Refusal | null = null): Promise<Reply> {
  const { api, now } = visit;
  const read = await allOf(
    readNames(api),
    api.every("/unavailabilities", {
      ops: "end_datetime:gte",
      end_datetime: formatInstant(now),
      sort: "start_datetime",
      direction: "asc",
    }),
  );
  if (isRefusal(read)) return read;
  const [names, absences] = read;
  const own = { account_user_id: visit.session.actor.accountUserId };
  return {
    kind: "page",
    status: statusAfter(refusal),
    title: "Absences",
    section: "on-call",
    body: (
      <>
        <Heading
          title="Absences"
          lead={`When people are away. Schedules warn of it, and rotations that skip who is away give the hours to the next in line. All times in ${visit.session.timeZone}.`}
        >
          <OnCallViews path={visit.url.pathname} />
        </Heading>
        <Panel>
          <Absences {...{ visit, names, absences }} />
        </Panel>
        <Panel title="Add absence" id="add">
          <FieldsForm
            to="/absences"
            session={visit.session}
            form={ABSENCE}
            state={{ values: refusal ? visit.form : own, refusal, names, visit }}
          >
            <Button>Add absence</Button>
          </FieldsForm>
        </Panel>
      </>
    ),
  };
}

const ABSENCES = { to: "/absences", label: "Absences" };

/** A local time of the viewer as an instant; what is no time stays for the API to refuse. */
function instantOf({ form, session }: Visit, name: string): string {
  const text = textOf(form, name);
  const at = parseWallClock(text.replace("T", " "), session.timeZone);
  return at === null ? text : formatInstant(at);
}

async function create(visit: Visit): Promise<Reply> {
  const body = {
    ...ABSENCE.bodyOf(visit.form),
    start_datetime: instantOf(visit, "start_datetime"),
    end_datetime: instantOf(visit, "end_datetime"),
  };
  const again = (refusal: Refusal) => show(visit, refusal);
  const preview = await visit.api.preview("POST", "/unavailabilities", body);
  if (isRefusal(preview)) return redisplayForm(preview, again);
  const question = await askBeforeChanges(visit, preview, {
    title: "Confirm absence",
    back: ABSENCES,
    button: "Add absence",
  });
  if (question) return question;
  const created = await visit.api.post("/unavailabilities", body);
  return isRefusal(created) ? redisplayForm(created, again) : done("/absences", "Absence added.");
}

async function remove(visit: Visit): Promise<Reply> {
  const { api, params } = visit;
  const id = params.id ?? "";
  const preview = await api.preview("DELETE", "/unavailabilities/:id", { id });
  if (isRefusal(preview)) return notDone("/absences", preview);
  const question = await askBeforeChanges(visit, preview, {
    title: "Remove absence",
    back: ABSENCES,
    button: "Remove absence",
    tone: "danger",
  });
  if (question) return question;
  const removed = await api.delete("/unavailabilities/:id", { id });
  return isRefusal(removed) ? notDone("/absences", removed) : done("/absences", "Absence removed.");
}

export const absencePages: readonly ConsolePage[] = [
  page("/absences", (visit) => show(visit)),
  action("/absences", create),
  action("/absences/:id/remove", remove),
];
