// This deployment: what its last audit found to be broken and what to do about it, its heartbeat, its providers, its
// database. Of records, only the account's own are shown.

import { channelWord } from "../../domain/people/messengers.ts";
import { isRefusal } from "../../domain/shared/refusal.ts";
import { MINUTE } from "../../domain/shared/time.ts";
import type {
  BreakingRecord,
  Deployment,
  DeploymentInvariant,
} from "../../features/operations/deployment/contract.ts";
import { Badge } from "../../kernel/console/badge.tsx";
import { Moment } from "../../kernel/console/moment.tsx";
import { Facts, Heading, Notice, Panel } from "../../kernel/console/panel.tsx";
import { pageReply, type Reply } from "../../kernel/console/reply.ts";
import { Table } from "../../kernel/console/table.tsx";
import { type ConsolePage, page, step, type Visit } from "../page.ts";
import { readNames, type WithVisit } from "../reads.ts";
import { isAdmin, SETUP } from "../resource-pages.tsx";
import { Standby } from "./standby.tsx";

const FOLDERS: Readonly<Record<BreakingRecord["kind"], string>> = {
  alert: "alerts",
  integration: "integrations",
  broadcast: "broadcasts",
  team: "teams",
};

/** An audit takes place every minute, on the free plan every five (ms). */
const LATE_MS = 10 * MINUTE;
const STOPPED = "/docs/runbook/auditor-stopped";

const Broken = ({ fault }: { readonly fault: DeploymentInvariant }) => {
  const { expected, broken_since, count, records, causes, runbook } = fault;
  const ofOthers = count - records.length;
  return (
    <Panel title={expected} aside={<Badge tone="bad">broken</Badge>}>
      <p>
        Since <Moment at={broken_since} relative />, <a href={runbook}>what to do</a>
      </p>
      {causes.length > 0 ? <p>{causes.join("; ")}</p> : null}
      {records.length > 0 ? (
        <ul class="plain-list">
          {records.map(({ kind, prefix_id, name }) => (
            <li>
              <a href={`/${FOLDERS[kind]}/${prefix_id}`}>{name}</a>
            </li>
          ))}
        </ul>
      ) : null}
      {ofOthers > 0 ? (
        <p class="soft">
          {records.length > 0 ? `${ofOthers} more` : ofOthers} in this deployment, which the log
          names
        </p>
      ) : null}
    </Panel>
  );
};

const State = ({ deployment, visit }: WithVisit<{ deployment: Deployment }>) => {
  const { audited_at, invariants, providers } = deployment;
  const broken = invariants.filter(({ broken_since }) => broken_since !== null);
  if (audited_at === null) {
    return (
      <Notice tone="warn" title="Nothing is known about this deployment">
        It checks itself once it has a heartbeat URL, a metrics token or the canary; or the check
        does not answer now. <a href={STOPPED}>What to do</a>
      </Notice>
    );
  }
  const checked = (
    <p>
      Checked <Moment at={audited_at} relative />
    </p>
  );
  return (
    <>
      {visit.now - Date.parse(audited_at) > LATE_MS ? (
        <Notice tone="warn" title="The audit has stopped">
          {checked}
          <a href={STOPPED}>What to do</a>
        </Notice>
      ) : providers.length === 0 ? (
        <Notice tone="warn" title="No provider is known: nobody is paged without one">
          {checked}
          <a href="/docs/channels">How to set one up</a>
        </Notice>
      ) : broken.length === 0 ? (
        <Notice tone="good" title="All is well">
          {checked}
        </Notice>
      ) : (
        checked
      )}
      {broken.map((fault) => (
        <Broken fault={fault} />
      ))}
    </>
  );
};

const Heartbeat = ({ heartbeat: it }: Pick<Deployment, "heartbeat">) => (
  <Panel title="Heartbeat" id="heartbeat">
    {it.configured ? (
      <Facts
        facts={[
          ["Last sent", <Moment at={it.sent_at} relative />],
          ["Last failed", it.failed_at && <Moment at={it.failed_at} relative />],
          ["Last withheld", it.withheld_at && <Moment at={it.withheld_at} relative />],
        ]}
      />
    ) : (
      <p>
        Nobody is told when this deployment is down: it has no heartbeat URL.{" "}
        <a href="/docs/monitoring#two-deployments-watch-each-other">How to set one up</a>
      </p>
    )}
  </Panel>
);

const PROVIDERS: Readonly<Record<string, string>> = { binding: "Cloudflare", smtp: "SMTP" };

const providerName = (name: string) =>
  PROVIDERS[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

type ProviderProps = { readonly provider: Deployment["providers"][number] };

const ProviderState = ({ provider }: ProviderProps) => {
  const { cause, broken_since, accepted_at, asked_at } = provider;
  if (cause !== null) {
    return (
      <span>
        <Badge tone="bad">{cause}</Badge> since <Moment at={broken_since} relative />
      </span>
    );
  }
  const isProven = accepted_at !== null || asked_at !== null;
  return <Badge tone={isProven ? "good" : "quiet"}>{isProven ? "works" : "not used yet"}</Badge>;
};

const Providers = ({ providers }: Pick<Deployment, "providers">) => (
  <Panel title="Providers" id="providers">
    <Table
      label="Providers"
      rows={providers}
      empty={<p>No provider is known yet.</p>}
      columns={[
        { title: "Channel", cell: (it) => channelWord(it.channel) },
        { title: "Provider", cell: (it) => providerName(it.provider) },
        { title: "State", cell: (it) => <ProviderState provider={it} /> },
        { title: "Last accepted", cell: (it) => <Moment at={it.accepted_at} relative /> },
        { title: "Last failed", cell: (it) => <Moment at={it.failed_at} relative /> },
        { title: "Key checked", cell: (it) => <Moment at={it.asked_at} relative /> },
      ]}
    />
  </Panel>
);

const MEGABYTE = 1_000_000;

const Storage = ({ database, daily_limits }: Pick<Deployment, "database" | "daily_limits">) => (
  <Panel title="Storage and limits" id="storage">
    <Facts
      facts={[
        [
          "Database",
          database &&
            `${Math.ceil(database.bytes / MEGABYTE)} MB, ${database.used_percent} % of its limit`,
        ],
        [
          "Free plan",
          daily_limits &&
            `${daily_limits.used_percent} % of today's ${daily_limits.nearest} are used`,
        ],
        ["Used up today", daily_limits?.used_up.join(", ")],
      ]}
    />
  </Panel>
);

const Checks = ({ invariants }: Pick<Deployment, "invariants">) => (
  <details class="panel">
    <summary>What is checked</summary>
    <ul>
      {invariants.map(({ expected, runbook }) => (
        <li>
          {expected} <a href={runbook}>If not</a>
        </li>
      ))}
    </ul>
  </details>
);

async function show(visit: Visit): Promise<Reply> {
  if (!isAdmin(visit)) return { kind: "goto", to: "/configuration" };
  const deployment = await visit.api.get("/deployment");
  if (isRefusal(deployment)) return deployment;
  const { standby } = deployment;
  const isNaming = standby && standby.drills.length + standby.deeds.length > 0;
  const names = isNaming ? await readNames(visit.api) : null;
  if (isRefusal(names)) return names;
  return pageReply(
    "This deployment",
    <>
      <Heading
        title="This deployment"
        lead="Whether it can page, and what to do if it cannot."
        back={SETUP}
      />
      <State deployment={deployment} visit={visit} />
      <Providers providers={deployment.providers} />
      <Heartbeat heartbeat={deployment.heartbeat} />
      {standby ? <Standby visit={visit} standby={standby} names={names} /> : null}
      {deployment.database || deployment.daily_limits ? <Storage {...deployment} /> : null}
      <Checks invariants={deployment.invariants} />
    </>,
  );
}

export const deploymentPages: readonly ConsolePage[] = [
  page("/configuration/deployment", show),
  step(
    "/configuration/deployment/drill",
    ({ api }) => api.post("/deployment/standby_drills", {}),
    "Drill asked for: the standby starts it in a minute or two.",
    "/configuration/deployment#standby",
  ),
];
