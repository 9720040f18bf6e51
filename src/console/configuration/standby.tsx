// The standby on the page of the deployment: how old its snapshot is, and how its drills ended.
import { MINUTE } from "../../domain/shared/time.ts";
import type { Deployment } from "../../features/operations/deployment/contract.ts";
import { Badge } from "../../kernel/console/badge.tsx";
import { Button, Form } from "../../kernel/console/form.tsx";
import { Moment } from "../../kernel/console/moment.tsx";
import { Facts, Panel } from "../../kernel/console/panel.tsx";
import { Table } from "../../kernel/console/table.tsx";
import type { Names, WithVisit } from "../reads.ts";

type StandbyState = NonNullable<Deployment["standby"]>;
type Drill = StandbyState["drills"][number];

/** A snapshot is pulled each minute (ms). */
const BEHIND_MS = 5 * MINUTE;

const MAX_DEEDS = 5;

const RESULTS = {
  starting: { label: "starting", tone: "busy" },
  running: { label: "running", tone: "busy" },
  acknowledged: { label: "acknowledged", tone: "good" },
  not_acknowledged: { label: "not acknowledged", tone: "bad" },
  failed: { label: "failed", tone: "bad" },
} as const satisfies Record<Drill["status"], object>;

const ORDERS = { take_over: "Took over", stand_down: "Stood down" } as const;
const MEANS = {
  itself: "by itself",
  command: "by npm run standby",
  link: "by a link",
  sms: "by SMS",
} as const satisfies Record<StandbyState["deeds"][number]["by"], string>;

type DeedsProps = { readonly deeds: StandbyState["deeds"]; readonly names: Names | null };

/** When it took over and stood down last. */
const Deeds = ({ deeds, names }: DeedsProps) => (
  <ul class="plain-list">
    {deeds.slice(0, MAX_DEEDS).map(({ at, order, by, account_user_id }) => (
      <li>
        {ORDERS[order]} <Moment at={at} />, {MEANS[by]}
        {account_user_id === null ? null : ` of ${names?.of(account_user_id) ?? ""}`}
      </li>
    ))}
  </ul>
);

type DrillsProps = { readonly standby: StandbyState; readonly names: Names | null };

const Drills = ({ standby: { drills, active, drill_requested_at }, names }: DrillsProps) => (
  <>
    <Table
      label="Drills through the standby"
      rows={drills}
      empty={<p>No drill through the standby yet: there is one each month.</p>}
      columns={[
        { title: "Last drill", cell: (it) => <Moment at={it.started_at} /> },
        {
          title: "Result",
          cell: ({ status }) => <Badge tone={RESULTS[status].tone}>{RESULTS[status].label}</Badge>,
        },
        { title: "Team", cell: (it) => (it.team_id && names?.of(it.team_id)) ?? "–" },
        {
          title: "Acknowledged by",
          cell: (it) => (it.acknowledged_by_id && names?.of(it.acknowledged_by_id)) ?? "–",
        },
        { title: "Standby", cell: (it) => it.standby_url ?? "–" },
      ]}
    />
    {active ? null : drill_requested_at ? (
      <p role="status">
        A drill was asked for <Moment at={drill_requested_at} relative />. The standby starts it in
        a minute or two.
      </p>
    ) : (
      <Form
        to="/configuration/deployment/drill"
        confirm="Page the people on call in one of the teams now, by the standby?"
      >
        <Button tone="plain">Start a drill through the standby</Button>
      </Form>
    )}
  </>
);

type StandbyProps = WithVisit<{ standby: StandbyState; names: Names | null }>;

export const Standby = ({ visit, standby, names }: StandbyProps) => {
  const { url, snapshot_at, active, deeds } = standby;
  const isBehind = snapshot_at === null || visit.now - Date.parse(snapshot_at) > BEHIND_MS;
  const at = <Moment at={snapshot_at} relative />;
  return (
    <Panel title={url === null ? "This is a standby" : "Standby"} id="standby">
      <Facts
        facts={[
          ["Address", url],
          ["Last snapshot", snapshot_at ? at : "none yet"],
          [
            "State",
            active ? (
              <Badge tone="bad">has taken over</Badge>
            ) : isBehind ? (
              <Badge tone="bad">behind</Badge>
            ) : (
              <Badge tone="good">ready</Badge>
            ),
          ],
          ["History", deeds.length > 0 && <Deeds deeds={deeds} names={names} />],
        ]}
      />
      {active || isBehind ? (
        <a href={`/docs/runbook/standby-${active ? "active" : "behind"}`}>What to do</a>
      ) : null}
      {url === null ? null : <Drills standby={standby} names={names} />}
    </Panel>
  );
};
