// One search over everything that a person may see: what the API finds, the pages of the console, and
// what can be done there. A page for a form without scripts, and data for the field above every page.

import { findByName } from "../../domain/shared/name-search.ts";
import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import { containsTerms, searchTerms } from "../../domain/shared/search-terms.ts";
import { withLocalTimes } from "../../domain/shared/time.ts";
import { statusWord } from "../../domain/shared/words.ts";
import { Search } from "../../kernel/console/filters.tsx";
import { wantsData } from "../../kernel/console/go-to.ts";
import { Empty, Heading, Panel } from "../../kernel/console/panel.tsx";
import { pageReply, type Reply } from "../../kernel/console/reply.ts";
import type { List } from "../../kernel/contract/list.ts";
import { type ConsolePage, page, type Visit } from "../page.ts";
import { SETUP_GROUPS } from "./configuration.tsx";

/** What is found, as the script's choices have it. */
type Found = { readonly value: string; readonly label: string; readonly note: string };
type Group = { readonly title: string; readonly found: readonly Found[] };

/** The most of a kind in the field's list, and on the page. */
const MOST = { field: 5, page: 20 } as const;

type Place = {
  readonly to: string;
  readonly title: string;
  readonly text: string;
  /** Whether only an admin may. */
  readonly admin?: true;
};

/** What people do, and where. */
export const ACTIONS: readonly Place[] = [
  { to: "/alerts/new", title: "Create alert", text: "Notify a team or a person now." },
  { to: "/on-call", title: "Override a shift", text: "Choose the team, then the shift." },
  { to: "/absences", title: "Add an absence", text: "Away, cover, swap, holiday, vacation." },
  { to: "/readiness", title: "Start a fire drill", text: "Test whether people are reached." },
  { to: "/broadcasts", title: "Send a broadcast", text: "Write to many people." },
  { to: "/people", title: "Invite people", text: "Add a person." },
  { to: "/teams/new", title: "Create team", text: "Add a team.", admin: true },
  { to: "/integrations/new", title: "Create integration", text: "Connect a tool.", admin: true },
];

const PAGES: readonly Place[] = [
  { to: "/alerts", title: "Alerts", text: "What needs somebody now." },
  { to: "/absences", title: "My shifts", text: "When I am on call, and away." },
  {
    to: "/settings",
    title: "My settings",
    text: "Addresses, notifications, time zone, appearance, password.",
  },
  { to: "/configuration", title: "Setup", text: "Everything that is configured." },
  ...SETUP_GROUPS.flatMap(({ entries }) => entries),
];

/** The places that match, those first whose title begins so. */
function placesOf(title: string, places: readonly Place[], q: string): Group {
  const terms = searchTerms(q);
  const found = places.filter(({ title, text }) => containsTerms(`${title} ${text}`, terms));
  const first = findByName(found, q, ({ title }) => ({ name: title }));
  return {
    title,
    found: [...new Set([...first, ...found])].map((it) => ({
      value: it.to,
      label: it.title,
      note: it.text,
    })),
  };
}

type Named = { readonly prefix_id: string; readonly name: string };

/** The records of a list, those first whose name begins so; none of a list that the person may not read. */
function recordsOf<Item>(
  title: string,
  list: List<Item> | Refusal,
  q: string,
  show: (item: Item) => Found,
): Group {
  const all = isRefusal(list) ? [] : list.data.map(show);
  const first = findByName(all, q, ({ label }) => ({ name: label }));
  return { title, found: [...new Set([...first, ...all])] };
}

const named =
  (path: string, note: string) =>
  ({ prefix_id: id, name }: Named): Found => ({ value: `${path}/${id}`, label: name, note });

async function find(
  { api, session, now }: Visit,
  q: string,
  limit: number,
): Promise<readonly Group[]> {
  const actions = ACTIONS.filter(({ admin }) => !admin || session.actor.roles.admin);
  const places = [placesOf("Actions", actions, q), placesOf("Pages", PAGES, q)];
  if (searchTerms(q).length === 0) return places;
  const query = { q, limit };
  const [alerts, people, teams, schedules, integrations] = await Promise.all([
    api.get("/alerts", query),
    api.get("/account_users", query),
    api.get("/teams", query),
    api.get("/schedules", query),
    api.get("/integrations", query),
  ]);
  return [
    {
      title: "Alerts",
      found: (isRefusal(alerts) ? [] : alerts.data)
        .toSorted((a, b) => Number(a.status === "resolved") - Number(b.status === "resolved"))
        .map(({ prefix_id: id, title, status, created_at: at }) => ({
          value: `/alerts/${id}`,
          label: title,
          note: withLocalTimes(`Alert of ${at}, ${statusWord(status)}`, session.timeZone, now),
        })),
    },
    recordsOf("People", people, q, ({ prefix_id: id, user }) => ({
      value: `/people/${id}`,
      label: user.name,
      note: user.emails[0]?.email ?? "Person",
    })),
    recordsOf("Teams", teams, q, named("/teams", "Team")),
    recordsOf("Schedules", schedules, q, named("/schedules", "Schedule")),
    recordsOf("Integrations", integrations, q, named("/integrations", "Integration")),
    ...places,
  ];
}

async function show(visit: Visit): Promise<Reply> {
  const { context } = visit;
  const q = (visit.query.get("q") ?? "").trim().slice(0, 200);
  if (wantsData(context)) {
    const groups = await find(visit, q, MOST.field);
    const choices = groups.flatMap(({ found }) => found.slice(0, MOST.field));
    return { kind: "data", value: { choices, more: false } };
  }
  const groups = (await find(visit, q, MOST.page)).filter(({ found }) => found.length > 0);
  return pageReply(
    "Search",
    <div class="narrow">
      <Heading title="Search" />
      <search>
        <form class="filters" method="get" action="/search">
          <Search label="Search everything" />
          <button type="submit" class="button primary">
            Search
          </button>
        </form>
      </search>
      {groups.length === 0 ? (
        <Panel>
          <Empty title={`Nothing found for “${q}”`}>
            Alerts, people, teams, schedules, integrations and pages were searched.
          </Empty>
        </Panel>
      ) : null}
      {groups.map(({ title, found }) => (
        <Panel title={title}>
          <ul class="entries">
            {found.map(({ value, label, note }) => (
              <li>
                <a href={value}>
                  <strong>{label}</strong>
                  <span class="soft">{note}</span>
                </a>
              </li>
            ))}
          </ul>
        </Panel>
      ))}
    </div>,
  );
}

export const searchPages: readonly ConsolePage[] = [page("/search", show)];
