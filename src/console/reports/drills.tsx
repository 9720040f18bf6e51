// Fire drills, a view of the page of readiness: start one, past ones, and the report of each.
import { channelWord } from "../../domain/people/messengers.ts";
import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import { statusWord } from "../../domain/shared/words.ts";
import type { Drill } from "../../features/alerts/drills/contract.ts";
import { Badge, StatusBadge } from "../../kernel/console/badge.tsx";
import { Current } from "../../kernel/console/current.tsx";
import { Pager, Segments } from "../../kernel/console/filters.tsx";
import { Button, Form, FormFaults, SelectField, TextField } from "../../kernel/console/form.tsx";
import { lengthOf } from "../../kernel/console/lengths.ts";
import { pageOf } from "../../kernel/console/list-view.ts";
import { Moment } from "../../kernel/console/moment.tsx";
import { Empty, Facts, Heading, LinkButton, Notice, Panel } from "../../kernel/console/panel.tsx";
import { done, pageReply, type Reply, redisplayForm } from "../../kernel/console/reply.ts";
import { Table } from "../../kernel/console/table.tsx";
import { fieldText, textOf } from "../../kernel/console/values.ts";
import { choicesOf } from "../choices.ts";
import { action, type ConsolePage, type Visit } from "../page.ts";
import { allOf, type Names, type PageProps, readNames } from "../reads.ts";
import { isAdmin, SETUP } from "../resource-pages.tsx";

// The heading of the page of readiness, with its views: who can be reached, and fire drills.

export const PEOPLE = "/readiness";
const DRILLS = "/readiness?view=drills";

const drillPath = (id: string): string => `${DRILLS}&drill=${encodeURIComponent(id)}`;

const VIEWS = [
  { to: PEOPLE, label: "People" },
  { to: DRILLS, label: "Fire drills" },
];

export const ReadinessHeading = ({ lead, view }: Readonly<{ lead: string; view: string }>) => (
  <Heading title="Readiness" lead={lead} back={SETUP}>
    <Segments label="View" links={VIEWS.map((it) => ({ ...it, isCurrent: it.to === view }))} />
    <LinkButton to="/settings#test">Page me now</LinkButton>
  </Heading>
);

const LIMIT = 20;

/** A time in seconds, in words; null: not yet, or never. */
const secondsText = (seconds: number | null) =>
  seconds === null ? null : lengthOf(seconds * 1_000);

const drilledTeams = (visit: Visit, names: Names) =>
  names.teams.filter(
    (team) =>
      isAdmin(visit) || team.admin_account_user_ids.includes(visit.session.actor.accountUserId),
  );

const StartForm = ({ visit, names, refused }: PageProps<{ refused: Refusal | null }>) => {
  const teams = drilledTeams(visit, names);
  if (teams.length === 0) return null;
  return (
    <Panel title="Start a fire drill" id="start">
      <p>
        Whoever is on call is paged now, by their own channels, and the alert escalates as a real
        one. Every message says that it is a drill.
      </p>
      <FormFaults refusal={refused} fields={["title"]} />
      <Form to="/drills" kind="fields" confirm="Page the people on call now?">
        <SelectField
          name="team"
          label="Team"
          choices={choicesOf(teams)}
          value={textOf(visit.form, "team") || (visit.query.get("team") ?? teams[0]?.id ?? "")}
          required
        />
        <TextField
          name="title"
          label="Title"
          refusal={refused}
          value={fieldText(visit.form, "title")}
          maxlength={200}
          help="For example: Database down. Empty: the team's name."
        />
        <Button>Start drill</Button>
      </Form>
    </Panel>
  );
};

async function list(visit: Visit, refused: Refusal | null = null): Promise<Reply> {
  const { api, url } = visit;
  const read = await allOf(api.get("/drills", { limit: LIMIT, page: pageOf(url) }), readNames(api));
  if (isRefusal(read)) return read;
  const [drills, names] = read;
  const body = (
    <>
      <ReadinessHeading
        lead="A drill pages a team for real and measures how it answers."
        view={DRILLS}
      />
      <StartForm visit={visit} names={names} refused={refused} />
      <Table
        label="Drills"
        rows={drills.data}
        empty={<Empty title="No drills yet" />}
        columns={[
          { title: "Drill", cell: (it) => <a href={drillPath(it.prefix_id)}>{it.title}</a> },
          { title: "Team", cell: (it) => names.of(it.team_id) },
          { title: "Started", cell: (it) => <Moment at={it.created_at} /> },
          { title: "Result", cell: (it) => <Result drill={it} /> },
          {
            title: "Acknowledged after",
            kind: "number",
            cell: (it) => secondsText(it.seconds_to_acknowledge) ?? "–",
          },
        ]}
      />
      <Pager limit={LIMIT} total={drills.total_count} />
    </>
  );
  return pageReply("Readiness", body, refused);
}

const Result = ({ drill }: { readonly drill: Drill }) => {
  if (drill.ended_at === null) return <Badge tone="busy">running</Badge>;
  return drill.acknowledged_by_id === null ? (
    <Badge tone="bad">not acknowledged</Badge>
  ) : (
    <Badge tone="good">acknowledged</Badge>
  );
};

const TONES = { acknowledged: "good", rejected: "warn", none: "warn", not_reached: "bad" } as const;

const Report = ({ drill, names }: { readonly drill: Drill; readonly names: Names }) => {
  const isRunning = drill.ended_at === null;
  return (
    <Current
      from={drillPath(drill.prefix_id)}
      trigger={isRunning ? "every 5s" : undefined}
      kind="stack"
    >
      <Panel title="Result" aside={<Result drill={drill} />}>
        <Facts
          facts={[
            ["Team", names.of(drill.team_id)],
            ["Started by", names.of(drill.started_by_id)],
            ["Started", <Moment at={drill.created_at} exact />],
            ["Ended", isRunning ? null : <Moment at={drill.ended_at} exact />],
            ["First message after", secondsText(drill.seconds_to_notify)],
            ["Acknowledged after", secondsText(drill.seconds_to_acknowledge)],
            ["Acknowledged by", drill.acknowledged_by_id && names.of(drill.acknowledged_by_id)],
            ["Steps reached", String(drill.layers_reached)],
            ["Alert", <StatusBadge status={drill.status} />],
          ]}
        />
      </Panel>
      <Table
        label="People"
        rows={drill.people}
        empty={
          <Notice tone="bad" title="Nobody was asked.">
            Nobody was on call on any step, or nothing was sent yet.
          </Notice>
        }
        columns={[
          { title: "Person", cell: (it) => names.of(it.account_user_id) },
          { title: "Step", kind: "number", cell: (it) => it.layer ?? "–" },
          { title: "Notified", cell: (it) => <Moment at={it.notified_at} exact /> },
          { title: "Channels", cell: (it) => it.channels.map(channelWord).join(", ") || "none" },
          {
            title: "Answer",
            cell: (it) => (
              <Badge tone={TONES[it.answer]}>
                {it.answer === "none" ? "did not answer" : statusWord(it.answer)}
              </Badge>
            ),
          },
        ]}
      />
    </Current>
  );
};

async function show(visit: Visit, id: string): Promise<Reply> {
  const { api } = visit;
  const read = await allOf(api.get("/drills/:id", { id }), readNames(api));
  if (isRefusal(read)) return read;
  const [drill, names] = read;
  const body = (
    <>
      <Heading title={drill.title} back={{ to: DRILLS, label: "Fire drills" }}>
        <LinkButton to={`/alerts/${drill.prefix_id}`}>Open alert</LinkButton>
      </Heading>
      <Report drill={drill} names={names} />
    </>
  );
  return pageReply(drill.title, body);
}

async function start(visit: Visit): Promise<Reply> {
  const { api, form } = visit;
  const drill = await api.post("/teams/:id/drills", {
    id: textOf(form, "team"),
    title: textOf(form, "title"),
  });
  if (!isRefusal(drill)) return done(drillPath(drill.prefix_id), "Drill started.");
  if (drill.reason === "too_many") return list(visit, drill);
  return redisplayForm(drill, (refusal) => list(visit, refusal));
}

/** The list of drills, or the report of the one that the query names. */
export function showDrills(visit: Visit): Promise<Reply> {
  const id = visit.query.get("drill");
  return id === null ? list(visit) : show(visit, id);
}

export const drillsPages: readonly ConsolePage[] = [action("/drills", start)];
