// Where everything is that an admin sets up, in the order in which it is first done.
import { type ConsolePage, page, type Reply, type Visit } from "../page.ts";
import { Icon, type IconName } from "../parts/icons.tsx";
import { Heading, Panel } from "../parts/panel.tsx";

type Entry = {
  readonly to: string;
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
};

const GROUPS: readonly { readonly title: string; readonly entries: readonly Entry[] }[] = [
  {
    title: "Who is asked",
    entries: [
      {
        to: "/people",
        icon: "people",
        title: "People and roles",
        text: "Invite people, say what they may do.",
      },
      {
        to: "/teams",
        icon: "team",
        title: "Teams",
        text: "Who works together, and who is told of what.",
      },
      { to: "/schedules", icon: "calendar", title: "Schedules", text: "Who is on call when." },
      {
        to: "/escalation_policies",
        icon: "layers",
        title: "Escalation policies",
        text: "How long who is asked before somebody else is.",
      },
    ],
  },
  {
    title: "Where alerts come from and go",
    entries: [
      {
        to: "/integrations",
        icon: "plug",
        title: "Integrations",
        text: "Where other tools send their events.",
      },
      {
        to: "/routers",
        icon: "route",
        title: "Routers",
        text: "Rules that say where an alert goes.",
      },
      {
        to: "/notification_rules",
        icon: "sliders",
        title: "Notification rules",
        text: "On which channels people are told, and when.",
      },
      {
        to: "/maintenance_windows",
        icon: "wrench",
        title: "Maintenance windows",
        text: "Times in which nobody is paged for planned work.",
      },
    ],
  },
  {
    title: "More",
    entries: [
      {
        to: "/broadcasts",
        icon: "megaphone",
        title: "Broadcasts",
        text: "Tell many people, and see who answers.",
      },
      {
        to: "/reports",
        icon: "chart",
        title: "Reports",
        text: "How many alerts, how fast, how often at night.",
      },
      {
        to: "/api_keys",
        icon: "key",
        title: "API keys",
        text: "For tools that use the API in your name.",
      },
      {
        to: "/docs",
        icon: "book",
        title: "The API's reference",
        text: "Everything here can be done by it.",
      },
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
                  <a class="with-icon" href={entry.to}>
                    <Icon name={entry.icon} />
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
