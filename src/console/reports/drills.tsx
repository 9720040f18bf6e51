// Fire drills: start one, past ones, and the report of each.
import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import type { Drill } from "../../features/alerts/drills/contract.ts";
import { Badge, StatusBadge } from "../../kernel/console/badge.tsx";
import { Pager } from "../../kernel/console/filters.tsx";
import { Button, Form, FormFaults, SelectField, TextField } from "../../kernel/console/form.tsx";
import { pageOf } from "../../kernel/console/list-view.ts";
import { lengthOf, Moment } from "../../kernel/console/moment.tsx";
import { Empty, Facts, Heading, Notice, Panel } from "../../kernel/console/panel.tsx";
import { done, redisplayForm, statusAfter } from "../../kernel/console/replies.ts";
import type { Reply } from "../../kernel/console/reply.ts";
import { Table } from "../../kernel/console/table.tsx";
import { fieldText, textOf } from "../../kernel/console/values.ts";
import { channelName } from "../alerts/notifications.tsx";
import { allOf } from "../api.ts";
import { choicesOf } from "../choices.ts";
import { type Names, readNames } from "../names.ts";
import { action, type ConsolePage, idOf, page, type Visit } from "../page.ts";
import { isAdmin } from "../resource-pages.tsx";

const LIMIT = 20;

/** A time in seconds, in words; null: not yet, or never. */
const secondsText = (seconds: number | null) =>
  seconds === null ? null : lengthOf(seconds * 1_000);

/** The teams for which the viewer may start a drill. */
const drilledTeams = (visit: Visit, names: Names) =>
  names.teams.filter(
    (team) =>
      isAdmin(visit) || team.admin_account_user_ids.includes(visit.session.actor.accountUserId),
  );

const StartForm = ({
  visit,
  names,
  refused,
}: {
  readonly visit: Visit;
  readonly names: Names;
  readonly refused: Refusal | null;
}) => {
  const teams = drilledTeams(visit, names);
  if (teams.length === 0) return null;
  return (
    <Panel title="Start a fire drill" id="start">
      <p>
        Whoever is on call is paged now, by their own channels, and the alert escalates as a real
        one. Every message says that it is a drill.
      </p>
      <FormFaults refusal={refused} fields={["title"]} />
      <Form
        to="/drills"
        session={visit.session}
        kind="fields"
        confirm="Page the people on call now?"
      >
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
  const { api, url, session } = visit;
  const read = await allOf(api.get("/drills", { limit: LIMIT, page: pageOf(url) }), readNames(api));
  if (isRefusal(read)) return read;
  const [drills, names] = read;
  const body = (
    <>
      <Heading
        title="Fire drills"
        lead="A drill pages a team for real and measures how it answers."
        back={{ to: "/readiness", label: "Readiness" }}
      />
      <StartForm visit={visit} names={names} refused={refused} />
      <Table
        label="Drills"
        rows={drills.data}
        empty={<Empty title="No drills yet" />}
        columns={[
          { title: "Drill", cell: (it) => <a href={`/drills/${it.prefix_id}`}>{it.title}</a> },
          { title: "Team", cell: (it) => names.of(it.team_id) },
          {
            title: "Started",
            cell: (it) => <Moment at={it.created_at} zone={session.timeZone} now={visit.now} />,
          },
          { title: "Result", cell: (it) => <Result drill={it} /> },
          {
            title: "Acknowledged after",
            kind: "number",
            cell: (it) => secondsText(it.seconds_to_acknowledge) ?? "–",
          },
        ]}
      />
      <Pager url={url} limit={LIMIT} total={drills.total_count} />
    </>
  );
  const status = statusAfter(refused);
  return { kind: "page", status, title: "Fire drills", section: "configuration", body };
}

const Result = ({ drill }: { readonly drill: Drill }) => {
  if (drill.ended_at === null) return <Badge tone="busy">running</Badge>;
  return drill.acknowledged_by_id === null ? (
    <Badge tone="bad">not acknowledged</Badge>
  ) : (
    <Badge tone="good">acknowledged</Badge>
  );
};

const ANSWERS = {
  acknowledged: { label: "acknowledged", tone: "good" },
  rejected: { label: "rejected", tone: "warn" },
  none: { label: "did not answer", tone: "warn" },
  not_reached: { label: "not reached", tone: "bad" },
} as const;

const Report = ({
  drill,
  names,
  visit,
}: {
  readonly drill: Drill;
  readonly names: Names;
  readonly visit: Visit;
}) => {
  const time = { zone: visit.session.timeZone, now: visit.now };
  const isRunning = drill.ended_at === null;
  return (
    <div
      id="current"
      class="stack"
      hx-get={visit.url.pathname}
      hx-trigger={isRunning ? "every 5s" : undefined}
      hx-select="#current"
      hx-swap="outerMorph"
      data-current
    >
      <Panel title="Result" aside={<Result drill={drill} />}>
        <Facts
          facts={[
            ["Team", names.of(drill.team_id)],
            ["Started by", names.of(drill.started_by_id)],
            ["Started", <Moment at={drill.created_at} {...time} exact />],
            ["Ended", isRunning ? null : <Moment at={drill.ended_at} {...time} exact />],
            ["First message after", secondsText(drill.seconds_to_notify)],
            ["Acknowledged after", secondsText(drill.seconds_to_acknowledge)],
            ["Acknowledged by", drill.acknowledged_by_id && names.of(drill.acknowledged_by_id)],
            ["Layers reached", String(drill.layers_reached)],
            ["Alert", <StatusBadge status={drill.status} />],
          ]}
        />
      </Panel>
      <Table
        label="People"
        rows={drill.people}
        empty={
          <Notice tone="bad" title="Nobody was asked.">
            Nobody was on call on any layer, or nothing was sent yet.
          </Notice>
        }
        columns={[
          { title: "Person", cell: (it) => names.of(it.account_user_id) },
          { title: "Layer", kind: "number", cell: (it) => it.layer ?? "–" },
          { title: "Notified", cell: (it) => <Moment at={it.notified_at} {...time} exact /> },
          { title: "Channels", cell: (it) => it.channels.map(channelName).join(", ") || "none" },
          {
            title: "Answer",
            cell: (it) => <Badge tone={ANSWERS[it.answer].tone}>{ANSWERS[it.answer].label}</Badge>,
          },
        ]}
      />
    </div>
  );
};

async function show(visit: Visit): Promise<Reply> {
  const { api } = visit;
  const read = await allOf(api.get("/drills/:id", { id: idOf(visit) }), readNames(api));
  if (isRefusal(read)) return read;
  const [drill, names] = read;
  const body = (
    <>
      <Heading title={drill.title} back={{ to: "/drills", label: "Fire drills" }}>
        <a class="button plain" href={`/alerts/${drill.prefix_id}`}>
          Open alert
        </a>
      </Heading>
      <Report drill={drill} names={names} visit={visit} />
    </>
  );
  return { kind: "page", title: drill.title, section: "configuration", body };
}

async function start(visit: Visit): Promise<Reply> {
  const { api, form } = visit;
  const drill = await api.post("/teams/:id/drills", {
    id: textOf(form, "team"),
    title: textOf(form, "title"),
  });
  if (!isRefusal(drill)) return done(`/drills/${drill.prefix_id}`, "Drill started.");
  if (drill.reason === "too_many") return list(visit, drill);
  return redisplayForm(drill, (refusal) => list(visit, refusal));
}

export const drillsPages: readonly ConsolePage[] = [
  page("/drills", (visit) => list(visit)),
  action("/drills", start),
  page("/drills/:id", show),
];
