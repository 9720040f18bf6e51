// The setup page: links to everything that an admin configures, in the order of a first setup.
import { Icon, type IconName } from "../../kernel/console/icons.tsx";
import { Heading, Panel } from "../../kernel/console/panel.tsx";
import { pageReply, type Reply } from "../../kernel/console/reply.ts";
import { type ConsolePage, page, type Visit } from "../page.ts";

type SetupEntry = {
  readonly to: string;
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
};

export const SETUP_GROUPS: readonly {
  readonly title: string;
  readonly entries: readonly SetupEntry[];
}[] = [
  {
    title: "People and on-call",
    entries: [
      {
        to: "/people",
        icon: "people",
        title: "People and roles",
        text: "Invite people and assign roles.",
      },
      {
        to: "/readiness",
        icon: "check",
        title: "Readiness",
        text: "Who can be reached and how, fire drills, and the weekly digest.",
      },
      {
        to: "/on-call",
        icon: "team",
        title: "Teams and schedules",
        text: "Who is on call, and what a team's alerts do.",
      },
      {
        to: "/calendars",
        icon: "calendar",
        title: "Calendars",
        text: "Shifts and absences that are read from elsewhere, and holidays.",
      },
      {
        to: "/on-call#shared",
        icon: "layers",
        title: "Escalation policies",
        text: "The steps by which people are notified, and how long each has to respond.",
      },
    ],
  },
  {
    title: "Alerts and notifications",
    entries: [
      {
        to: "/integrations",
        icon: "plug",
        title: "Integrations",
        text: "Receive events from other tools, or notify them of alerts.",
      },
      {
        to: "/routers",
        icon: "route",
        title: "Routers",
        text: "Rules that decide where an alert goes.",
      },
      {
        to: "/notification_rules",
        icon: "sliders",
        title: "Notification rules",
        text: "Rules that decide when and on which channels people are notified.",
      },
      {
        to: "/calendars?view=windows",
        icon: "wrench",
        title: "Maintenance windows",
        text: "Periods of planned work in which alerts notify nobody.",
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
        text: "Send a message to many people and collect their responses.",
      },
      {
        to: "/reports",
        icon: "chart",
        title: "Reports",
        text: "Alert volume, response times and on-call load.",
      },
      {
        to: "/api_keys",
        icon: "key",
        title: "API keys",
        text: "Keys for tools that use the API on your behalf.",
      },
      {
        to: "/configuration/file",
        icon: "sliders",
        title: "Configuration file",
        text: "Download the configuration as YAML, or import it with a preview.",
      },
      {
        to: "/configuration/deployment",
        icon: "check",
        title: "This deployment",
        text: "Whether it can page, its providers, and what to do if something is broken.",
      },
      {
        to: "/docs",
        icon: "book",
        title: "Documentation",
        text: "The manual, and the API: it has every action of the console.",
      },
    ],
  },
];

async function show(_visit: Visit): Promise<Reply> {
  return pageReply(
    "Setup",
    <>
      <Heading title="Setup" lead="In the order of a first setup." />
      {SETUP_GROUPS.map(({ title, entries }) => (
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
    </>,
  );
}

export const configurationPages: readonly ConsolePage[] = [page("/configuration", show)];
