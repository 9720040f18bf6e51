// Where everything is that an admin sets up, in the order in which it is first done.
import { type ConsolePage, page, type Reply, type Visit } from "../page.ts";
import { Heading, Panel } from "../parts/panel.tsx";

type Entry = { readonly to: string; readonly title: string; readonly text: string };

const GROUPS: readonly { readonly title: string; readonly entries: readonly Entry[] }[] = [
  {
    title: "Who is asked",
    entries: [
      { to: "/people", title: "People and roles", text: "Invite people, say what they may do." },
      { to: "/teams", title: "Teams", text: "Who works together, and who is told of what." },
      { to: "/schedules", title: "Schedules", text: "Who is on call when." },
      {
        to: "/escalation_policies",
        title: "Escalation policies",
        text: "How long who is asked before somebody else is.",
      },
    ],
  },
  {
    title: "Where alerts come from and go",
    entries: [
      { to: "/integrations", title: "Integrations", text: "Where other tools send their events." },
      { to: "/routers", title: "Routers", text: "Rules that say where an alert goes." },
      {
        to: "/notification_rules",
        title: "Notification rules",
        text: "On which channels people are told, and when.",
      },
      {
        to: "/maintenance_windows",
        title: "Maintenance windows",
        text: "Times in which nobody is paged for planned work.",
      },
    ],
  },
  {
    title: "More",
    entries: [
      { to: "/broadcasts", title: "Broadcasts", text: "Tell many people, and see who answers." },
      { to: "/reports", title: "Reports", text: "How many alerts, how fast, how often at night." },
      { to: "/api_keys", title: "API keys", text: "For tools that use the API in your name." },
      { to: "/docs", title: "The API's reference", text: "Everything here can be done by it." },
    ],
  },
];

async function show(_visit: Visit): Promise<Reply> {
  return {
    kind: "page",
    title: "Setup",
    section: "configuration",
    body: (
      <>
        <Heading title="Setup" lead="In the order in which it is first done." />
        {GROUPS.map(({ title, entries }) => (
          <Panel title={title}>
            <ul class="entries">
              {entries.map((entry) => (
                <li>
                  <a href={entry.to}>
                    <strong>{entry.title}</strong>
                    <span class="soft">{entry.text}</span>
                  </a>
                </li>
              ))}
            </ul>
          </Panel>
        ))}
      </>
    ),
  };
}

export const configurationPages: readonly ConsolePage[] = [page("/configuration", show)];
