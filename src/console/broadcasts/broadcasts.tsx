// The list of broadcasts, and the form that sends one: it first asks, with how many people it reaches and how.

import { channelWord } from "../../domain/people/messengers.ts";
import { counted } from "../../domain/shared/counted.ts";
import { isRefusal, type Refusal, refuse } from "../../domain/shared/refusal.ts";
import { capitalized } from "../../domain/shared/words.ts";
import type { Broadcast } from "../../features/broadcasts/broadcasts/contract.ts";
import { CreateBroadcast } from "../../features/broadcasts/broadcasts/parameters.ts";
import type { ReadinessPerson } from "../../features/reports/readiness/contract.ts";
import { BroadcastBadge } from "../../kernel/console/badge.tsx";
import { type DeclaredForm, declareForm } from "../../kernel/console/declared-form.ts";
import { Filters, Pager, Search } from "../../kernel/console/filters.tsx";
import { Button, Form, type FormState, HiddenFields } from "../../kernel/console/form.tsx";
import { FieldsForm } from "../../kernel/console/form-fields.tsx";
import { formPage } from "../../kernel/console/form-page.tsx";
import { pageOf, type SortableColumn, sortingOf } from "../../kernel/console/list-view.ts";
import { Moment } from "../../kernel/console/moment.tsx";
import { Empty, Facts, Heading, LinkButton, Panel } from "../../kernel/console/panel.tsx";
import { isPickerSearch } from "../../kernel/console/picker-search.ts";
import { NothingFound } from "../../kernel/console/record-list.tsx";
import { done, pageReply, type Reply, redisplayForm } from "../../kernel/console/reply.ts";
import { Table } from "../../kernel/console/table.tsx";
import { listOf, textOf } from "../../kernel/console/values.ts";
import { peopleOf } from "../access/reach.ts";
import { choicesOf, peopleChoices } from "../choices.ts";
import { instantText } from "../oncall/on-call-window.ts";
import { action, type ConsolePage, page, type Visit } from "../page.ts";
import { allOf, type Names, readNames } from "../reads.ts";

/** Broadcasts make no phone calls. */
const CHANNELS = ["push", "sms", "email"] as const;

/** The ids of the people whom a form addresses, each once: directly, and by their teams. */
function recipientsIn(form: Visit["form"], { teams, people }: Names): ReadonlySet<string> {
  const teamIds = listOf(form, "destination_team_ids");
  const own = listOf(form, "destination_account_user_ids");
  const isActive = new Set(people.flatMap(({ id, state }) => (state === "pending" ? [] : [id])));
  const ofTeams = teams.filter(({ id }) => teamIds.includes(id)).flatMap(peopleOf);
  return new Set([...own, ...ofTeams].filter((id) => isActive.has(id)));
}

const channelFacts = (people: readonly ReadinessPerson[]) => {
  const unreachable = people.filter(({ reach }) => reach === "unreachable").length;
  return [
    ...CHANNELS.map((channel) => {
      const count = people.filter(({ channels }) => channels.includes(channel)).length;
      return [
        capitalized(channelWord(channel)),
        count > 0 ? counted(count, "person", "people") : null,
      ] as const;
    }),
    [
      "Cannot be reached",
      unreachable > 0 ? counted(unreachable, "person", "people") : null,
    ] as const,
  ];
};

/** The question; null if the form has faults that sending it would name. */
async function confirmBroadcast({ api, form }: Visit): Promise<Reply | null> {
  const read = await allOf(readNames(api), api.every("/readiness/people"));
  if (isRefusal(read)) return read;
  const [names, readiness] = read;
  const ids = recipientsIn(form, names);
  const title = textOf(form, "title").trim();
  if (title === "" || ids.size === 0) return null;
  return formPage({
    title: "Send broadcast",
    back: { to: "/broadcasts", label: "Broadcasts" },
    form: (
      <>
        <p>
          “{title}” is sent to <strong>{counted(ids.size, "person", "people")}</strong> now. It
          cannot be recalled.
        </p>
        <Facts facts={channelFacts(readiness.filter(({ id }) => ids.has(id)))} />
        <p class="help">
          The channels on which they can be reached. Each person’s own settings and notification
          rule choose among them.
        </p>
        <Form to="/broadcasts" kind="fields">
          <HiddenFields form={form} />
          <input type="hidden" name="confirmed" value="yes" />
          <div class="buttons">
            <Button>Send to {counted(ids.size, "person", "people")}</Button>
            <Button tone="plain" to="/broadcasts/draft">
              Back to the form
            </Button>
          </div>
        </Form>
      </>
    ),
  });
}

const LIMIT = 25;

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

const CREATE = "/broadcasts?add=1";
const FORBIDDEN = refuse("forbidden", "only broadcasters and admins can send broadcasts");

/** @param refused the refusal of a new broadcast, whose form is above the list */
async function list(visit: Visit, refused: Refusal | null = null): Promise<Reply> {
  const { api, url, form } = visit;
  const isAdding = visit.context.req.method === "POST" || visit.query.has("add");
  if (isAdding && !maySend(visit)) return FORBIDDEN;
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
  const next = maySend(visit) ? { next: { to: CREATE, label: "Create broadcast" } } : {};
  const body = (
    <>
      <Heading title="Broadcasts" lead="Messages to teams and people, with their responses.">
        {maySend(visit) && !isAdding ? (
          <LinkButton to={CREATE} tone="primary">
            Create broadcast
          </LinkButton>
        ) : null}
      </Heading>
      {isAdding ? (
        <Panel title="Create broadcast">
          <FieldsForm
            to="/broadcasts"
            form={FORM}
            state={{ values: form, refusal: refused, names }}
          >
            <Button>Send broadcast</Button>
          </FieldsForm>
        </Panel>
      ) : null}
      <Filters>
        <Search label="Search titles and tags" />
      </Filters>
      <Table
        label="Broadcasts"
        rows={broadcasts.data}
        sorted={{ by: sorting }}
        columns={[
          {
            ...TITLE,
            title: "Title",
            cell: (it) => <a href={`/broadcasts/${it.prefix_id}`}>{it.title}</a>,
          },
          { ...STATUS, title: "Status", cell: (it) => <BroadcastBadge of={it} /> },
          { title: "Recipients", cell: (it) => recipientsOf(it, names) },
          {
            title: "Responses",
            kind: "number",
            cell: (it) => (it.response_requested ? it.broadcast_responses.length : "–"),
          },
          { ...SENT, title: "Sent", cell: (it) => <Moment at={it.created_at} /> },
        ]}
        empty={
          query.q ? (
            <NothingFound label="Broadcasts" />
          ) : (
            <Empty title="No broadcasts yet" {...next}>
              A broadcast sends one message to many people on their own channels and collects their
              responses.
            </Empty>
          )
        }
      />
      <Pager limit={LIMIT} total={broadcasts.total_count} />
    </>
  );
  return pageReply("Broadcasts", body, refused);
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
  if (isRefusal(sent)) return redisplayForm(sent, (refusal) => list(visit, refusal));
  return done(`/broadcasts/${sent.prefix_id}`, "Broadcast sent.");
}

export const broadcastsPages: readonly ConsolePage[] = [
  page("/broadcasts", (visit) => list(visit)),
  action("/broadcasts", send),
  action("/broadcasts/draft", (visit) => list(visit)),
];
