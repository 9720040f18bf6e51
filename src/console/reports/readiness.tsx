// Readiness: who can be reached and how, which teams have nobody on call, and the weekly digest.
import { channelWord } from "../../domain/people/messengers.ts";
import { PERSON_REACHES } from "../../domain/reports/readiness.ts";
import { STANDBY_PROBLEM_TEXTS } from "../../domain/reports/readiness-text.ts";
import { prefixIdOf } from "../../domain/shared/identifiers.ts";
import { isRefusal } from "../../domain/shared/refusal.ts";
import type { Readiness, ReadinessPerson } from "../../features/reports/readiness/contract.ts";
import { Badge } from "../../kernel/console/badge.tsx";
import { Chips, Choose, Filters, Pager, Search } from "../../kernel/console/filters.tsx";
import { Button, CheckField, Form } from "../../kernel/console/form.tsx";
import { pageOf } from "../../kernel/console/list-view.ts";
import { Moment } from "../../kernel/console/moment.tsx";
import { Empty, Notice, Panel } from "../../kernel/console/panel.tsx";
import { done, notDone, pageReply, type Reply } from "../../kernel/console/reply.ts";
import { Table } from "../../kernel/console/table.tsx";
import { isTicked } from "../../kernel/console/values.ts";
import type { Query } from "../api-client.ts";
import { choicesOf } from "../choices.ts";
import { action, type ConsolePage, page, type Visit } from "../page.ts";
import { allOf } from "../reads.ts";
import { isAdmin } from "../resource-pages.tsx";
import { PEOPLE, ReadinessHeading, showDrills } from "./drills.tsx";
import { SetupChecklist } from "./setup-checklist.tsx";

const LIMIT = 40;

/** How a person can be reached, in words. */
export const REACHES = {
  wakeable: { label: "Can be woken", tone: "good" },
  mail_only: { label: "E-mail only", tone: "warn" },
  unreachable: { label: "Cannot be reached", tone: "bad" },
} as const;

/** What limits how a person can be reached. */
export const PROBLEMS: Readonly<Record<ReadinessPerson["problems"][number], string>> = {
  pending: "invitation not accepted",
  never_signed_in: "never signed in",
  blocked_email: "e-mail address blocked",
  blocked_phone: "phone number blocked",
  unconfirmed_phone: "phone number not confirmed",
  push_ended: "a browser stopped receiving push",
};

const SORTS = [
  { value: "last_sign_in_at", label: "Last sign-in" },
  { value: "created_at", label: "Newest first" },
] as const;

/** The API query for the page's query string. */
function peopleQuery(url: URL): Query {
  const parameters = url.searchParams;
  const sort = SORTS.find(({ value }) => value === parameters.get("sort"))?.value ?? "name";
  return {
    limit: LIMIT,
    page: pageOf(url),
    sort,
    direction: sort === "created_at" ? "desc" : "asc",
    q: parameters.get("q") ?? undefined,
    team_ids: parameters.get("team") ?? undefined,
    reach: PERSON_REACHES.find((it) => it === parameters.get("reach")),
    problems: Object.keys(PROBLEMS).find((it) => it === parameters.get("problem")),
  };
}

type PeopleProps = {
  readonly people: readonly ReadinessPerson[];
  readonly teamNames: ReadonlyMap<string, string>;
};

const People = ({ people, teamNames }: PeopleProps) => (
  <Table
    label="People"
    rows={people}
    empty={
      <Empty
        title="Nobody matches these filters"
        next={{ to: "/readiness", label: "Show everybody" }}
      />
    }
    columns={[
      { title: "Name", cell: (it) => <a href={`/people/${it.prefix_id}`}>{it.name}</a> },
      {
        title: "Reach",
        cell: (it) => <Badge tone={REACHES[it.reach].tone}>{REACHES[it.reach].label}</Badge>,
      },
      { title: "Channels", cell: (it) => it.channels.map(channelWord).join(", ") || "none" },
      {
        title: "Problems",
        cell: (it) => it.problems.map((problem) => PROBLEMS[problem]).join(", "),
      },
      { title: "Teams", cell: (it) => it.team_ids.map((id) => teamNames.get(id) ?? "").join(", ") },
      { title: "Last sign-in", cell: (it) => <Moment at={it.last_sign_in_at} /> },
    ]}
  />
);

const Digest = ({ isOn, isMine }: { readonly isOn: boolean; readonly isMine: boolean }) => (
  <Panel title="Weekly digest" id="digest">
    <p>
      Every Monday at 08:00, admins get an e-mail that lists teams without anybody on call and
      people who cannot be woken, and a standby whose drill was not acknowledged. Nothing is sent
      while there are none.
    </p>
    <Form to="/readiness/digest" kind="fields">
      <CheckField name="account" label="Send the digest to the account's admins" checked={isOn} />
      <CheckField name="mine" label="Send it to me" checked={isMine} />
      <Button tone="plain">Save digest</Button>
    </Form>
  </Panel>
);

/** A standby that is not known to page is none. */
const StandbyNotice = ({ problem }: { readonly problem: Readiness["standby_problem"] }) =>
  problem === null ? null : (
    <Notice tone="bad" title={STANDBY_PROBLEM_TEXTS[problem]}>
      <a href="/configuration/deployment#standby">See how it ended, and start another one</a>, or
      read <a href="/docs/standby#the-monthly-drill">what to look for</a>.
    </Notice>
  );

/** The integrations that are listed: the next ones follow once these are done. */
const MAX_BARE_IDS = 5;

/** Everybody in the account can read an id, so with one of these they could page and resolve. */
const BareIds = ({ ids }: { readonly ids: readonly string[] }) =>
  ids.length === 0 ? null : (
    <Notice tone="warn" title="Integrations accept events from whoever knows their ID.">
      <p>
        Everybody in the account can read it. Point their senders to the webhook URL, then stop
        accepting the ID:
      </p>
      <ul class="plain-list">
        {ids.slice(0, MAX_BARE_IDS).map((id) => (
          <li>
            <a href={`/integrations/${id}`}>{prefixIdOf("integration", id)}</a>
          </li>
        ))}
      </ul>
      {ids.length > MAX_BARE_IDS ? <p>And {ids.length - MAX_BARE_IDS} more.</p> : null}
    </Notice>
  );

async function show(visit: Visit): Promise<Reply> {
  const { api, url, session } = visit;
  const read = await allOf(
    api.get("/readiness"),
    api.get("/readiness/people", peopleQuery(url)),
    api.get("/readiness/people", { limit: 1, reach: "unreachable" }),
    api.get("/readiness/people", { limit: 1, reach: "mail_only" }),
    api.every("/teams"),
    api.get("/oncall/uncovered"),
    api.get("/account_users/:id", { id: session.actor.accountUserId }),
  );
  if (isRefusal(read)) return read;
  const [readiness, list, unreachable, mailOnly, teams, uncovered, me] = read;
  const teamNames = new Map(teams.map(({ id, name }) => [id, name]));
  const counts = {
    wakeable: undefined,
    mail_only: mailOnly.total_count,
    unreachable: unreachable.total_count,
  };
  const body = (
    <>
      <ReadinessHeading lead="Who can be reached, and how." view={PEOPLE} />
      {isAdmin(visit) ? <SetupChecklist readiness={readiness} /> : null}
      {uncovered.length === 0 ? null : (
        <Notice tone="warn" title="Nobody is on call now or within a day.">
          <ul class="plain-list">
            {uncovered.map(({ team_id, layer, start_time, end_time }) => (
              <li>
                <a href={`/teams/${team_id}`}>{teamNames.get(team_id)}</a>, step {layer}: from{" "}
                <Moment at={start_time} />
                {end_time === null ? ", for at least 14 days" : " until "}
                {end_time === null ? null : <Moment at={end_time} />}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {isAdmin(visit) ? <StandbyNotice problem={readiness.standby_problem} /> : null}
      {isAdmin(visit) ? <BareIds ids={readiness.bare_id_integration_ids} /> : null}
      <Chips
        name="reach"
        label="Reach"
        chips={[
          { value: "", label: "Everybody" },
          ...PERSON_REACHES.toReversed().map((value) => ({
            value,
            label: REACHES[value].label,
            ...(counts[value] !== undefined && { count: counts[value] }),
          })),
        ]}
      />
      <Filters keep={["reach"]}>
        <Search label="Search people" />
        <Choose name="team" label="Any team" choices={choicesOf(teams)} />
        <Choose
          name="problem"
          label="Any problem"
          choices={Object.entries(PROBLEMS).map(([value, label]) => ({ value, label }))}
        />
        <Choose name="sort" label="Sort by name" choices={SORTS} />
      </Filters>
      <People people={list.data} teamNames={teamNames} />
      <Pager limit={LIMIT} total={list.total_count} labels={["Previous", "Next"]} />
      {isAdmin(visit) ? (
        <Digest isOn={readiness.weekly_digest} isMine={me.readiness_digest} />
      ) : null}
    </>
  );
  return pageReply("Readiness", body);
}

async function saveDigest({ api, form, session }: Visit): Promise<Reply> {
  const to = "/readiness#digest";
  const id = session.actor.accountUserId;
  const saved = await api.put("/readiness", { weekly_digest: isTicked(form, "account") });
  if (isRefusal(saved)) return notDone(to, saved);
  const mine = await api.put("/account_users/:id", {
    id,
    readiness_digest: isTicked(form, "mine"),
  });
  return isRefusal(mine) ? notDone(to, mine) : done(to, "Digest saved.");
}

export const readinessPages: readonly ConsolePage[] = [
  page("/readiness", (visit) =>
    visit.query.get("view") === "drills" ? showDrills(visit) : show(visit),
  ),
  action("/readiness/digest", saveDigest),
];
