// The list of broadcasts, and the form that sends one.

import { isRefusal, type Refusal, refuse } from "../../domain/shared/refusal.ts";
import type { Broadcast } from "../../features/broadcasts/broadcasts/contract.ts";
import { CreateBroadcast } from "../../features/broadcasts/broadcasts/parameters.ts";
import { BroadcastBadge } from "../../kernel/console/badge.tsx";
import {
  type DeclaredForm,
  declareForm,
  type FormState,
} from "../../kernel/console/declared-form.ts";
import { Filters, Pager, Search } from "../../kernel/console/filters.tsx";
import { Button } from "../../kernel/console/form.tsx";
import { FieldsForm } from "../../kernel/console/form-fields.tsx";
import { formPage } from "../../kernel/console/form-page.tsx";
import { pageOf, type SortableColumn, sortingOf } from "../../kernel/console/list-view.ts";
import { Moment } from "../../kernel/console/moment.tsx";
import { Empty, Heading } from "../../kernel/console/panel.tsx";
import { isPickerSearch } from "../../kernel/console/picker-search.ts";
import { NothingFound } from "../../kernel/console/record-list.tsx";
import { done, redisplayForm } from "../../kernel/console/replies.ts";
import type { Reply } from "../../kernel/console/reply.ts";
import { Table } from "../../kernel/console/table.tsx";
import { listOf, textOf } from "../../kernel/console/values.ts";
import { allOf } from "../api.ts";
import { choicesOf, peopleChoices } from "../choices.ts";
import { type Names, readNames } from "../names.ts";
import { instantText } from "../oncall/on-call-window.ts";
import { action, type ConsolePage, page, type Visit } from "../page.ts";
import { confirmBroadcast } from "./confirm-broadcast.tsx";

const LIMIT = 25;

/** Whether the viewer may send a broadcast. */
const maySend = ({ session: { actor } }: Visit) => actor.roles.admin || actor.roles.broadcaster;

const recipientsOf = (broadcast: Broadcast, names: Names) =>
  [...broadcast.destination_team_ids, ...broadcast.destination_account_user_ids]
    .map(names.of)
    .join(", ");

/** The attributes that columns are sorted by, in the API. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  title: "title",
  status: "status",
  sent: "created_at",
};
const COLUMNS: readonly SortableColumn<Broadcast>[] = [
  { title: "Title", by: ({ title }) => title },
  { title: "Status", by: ({ status }) => status },
  { title: "Sent", by: (it) => Date.parse(it.created_at) },
];
const [TITLE, STATUS, SENT] = COLUMNS;

async function list(visit: Visit): Promise<Reply> {
  const { api, url, session, now } = visit;
  const sorting = sortingOf(url, COLUMNS, null);
  const query = {
    limit: LIMIT,
    page: pageOf(url),
    q: url.searchParams.get("q") ?? undefined,
    ...(sorting && { sort: ATTRIBUTES[sorting.column], direction: sorting.direction }),
  };
  const read = await allOf(api.get("/broadcasts", query), readNames(api));
  if (isRefusal(read)) return read;
  const [broadcasts, names] = read;
  const next = maySend(visit) ? { next: { to: "/broadcasts/new", label: "Create broadcast" } } : {};
  const body = (
    <>
      <Heading title="Broadcasts" lead="Messages to teams and people, with their responses.">
        {maySend(visit) ? (
          <a class="button primary" href="/broadcasts/new">
            Create broadcast
          </a>
        ) : null}
      </Heading>
      <Filters url={url} keep={[]}>
        <Search url={url} label="Search titles and tags" />
      </Filters>
      <Table
        label="Broadcasts"
        rows={broadcasts.data}
        sorted={{ url, by: sorting }}
        columns={[
          {
            ...TITLE,
            title: "Title",
            cell: (it) => <a href={`/broadcasts/${it.prefix_id}`}>{it.title}</a>,
          },
          { ...STATUS, title: "Status", cell: (it) => <BroadcastBadge status={it.status} /> },
          { title: "Recipients", cell: (it) => recipientsOf(it, names) },
          {
            title: "Responses",
            kind: "number",
            cell: (it) => (it.response_requested ? it.broadcast_responses.length : "–"),
          },
          {
            ...SENT,
            title: "Sent",
            cell: (it) => <Moment at={it.created_at} zone={session.timeZone} now={now} />,
          },
        ]}
        empty={
          query.q ? (
            <NothingFound url={url} label="Broadcasts" />
          ) : (
            <Empty title="No broadcasts yet" {...next}>
              A broadcast sends one message to many people on their own channels and collects their
              responses.
            </Empty>
          )
        }
      />
      <Pager url={url} limit={LIMIT} total={broadcasts.total_count} />
    </>
  );
  return { kind: "page", title: "Broadcasts", section: "broadcasts", body };
}

const PLACES = 5;

const Options = ({ values, refusal }: FormState) => {
  const options = listOf(values, "options");
  const faults = (refusal?.errors ?? []).filter(({ field }) =>
    field?.startsWith("broadcast_response_options_attributes"),
  );
  return (
    <>
      <ol class="stack">
        {Array.from({ length: Math.max(PLACES, options.length + 2) }, (_, at) => (
          <li>
            <input
              name="options[]"
              value={options[at] ?? ""}
              aria-label={`Response option ${at + 1}`}
              placeholder={["I am safe", "I need help"][at] ?? ""}
              aria-invalid={faults.length > 0 && at === 0 ? "true" : undefined}
            />
          </li>
        ))}
      </ol>
      {faults.length > 0 ? <p class="faults">Enter at least one response option.</p> : null}
    </>
  );
};

type NewBroadcast = FormState & { readonly names: Names };

const FORM: DeclaredForm<NewBroadcast> = declareForm(CreateBroadcast, [
  { name: "title", label: "Title" },
  { name: "description", label: "Description" },
  {
    name: "destination_team_ids",
    label: "Teams",
    choices: ({ names }) => choicesOf(names.teams),
    source: "teams",
  },
  {
    name: "destination_account_user_ids",
    label: "People",
    choices: ({ names }) => peopleChoices(names),
    source: "people",
  },
  {
    legend: "Responses",
    fields: [
      { name: "response_requested", label: "Request a response" },
      {
        draw: Options,
        parameters: ["broadcast_response_options_attributes"],
        body: (form) => ({
          broadcast_response_options_attributes: listOf(form, "options").map((value) => ({
            value,
          })),
        }),
      },
      {
        name: "response_requested_by",
        label: "Respond by",
        help: "In your time zone. If empty, the broadcast stays open until everybody has responded.",
      },
    ],
  },
]);

async function showForm(visit: Visit, refusal: Refusal | null = null): Promise<Reply> {
  if (!maySend(visit))
    return refuse("forbidden", "only broadcasters and admins can send broadcasts");
  const names = await readNames(visit.api);
  if (isRefusal(names)) return names;
  return formPage({
    section: "broadcasts",
    title: "Create broadcast",
    back: { to: "/broadcasts", label: "Broadcasts" },
    refusal,
    form: (
      <FieldsForm
        to="/broadcasts"
        session={visit.session}
        form={FORM}
        state={{ values: visit.form, refusal, names }}
      >
        <Button>Send broadcast</Button>
      </FieldsForm>
    ),
  });
}

async function send(visit: Visit): Promise<Reply> {
  const { api, form, session } = visit;
  const isConfirmed = textOf(form, "confirmed") === "yes";
  const question = isConfirmed || isPickerSearch(form) ? null : await confirmBroadcast(visit);
  if (question !== null) return question;
  const until = textOf(form, "response_requested_by");
  const sent = await api.post("/broadcasts", {
    ...FORM.bodyOf(form),
    response_requested_by: until === "" ? null : instantText(until, session.timeZone),
  });
  if (isRefusal(sent)) return redisplayForm(sent, (refusal) => showForm(visit, refusal));
  return done(`/broadcasts/${sent.prefix_id}`, "Broadcast sent.");
}

export const broadcastsPages: readonly ConsolePage[] = [
  page("/broadcasts", list),
  page("/broadcasts/new", (visit) => showForm(visit)),
  action("/broadcasts", send),
  action("/broadcasts/draft", (visit) => showForm(visit)),
];
