// The types of integrations to choose from: those that most teams use first, with a search.
import { containsTerms, searchTerms } from "../../domain/shared/search-terms.ts";
import { capitalized } from "../../domain/shared/words.ts";
import type { IntegrationType } from "../../features/integrations/integrations/contract.ts";
import { Filters, Search } from "../../kernel/console/filters.tsx";
import { Empty, Panel } from "../../kernel/console/panel.tsx";
import { acceptsEvents } from "./option-titles.ts";

const GENERIC = "custom_webhook";

/** What most teams have, in this order. */
const MOST_USED = [
  ...["prometheus", "grafana", "datadog", "aws_cloudwatch", "sentry"],
  ...["uptime_kuma", "zabbix", "email", "webhook", GENERIC],
];

/** "Prometheus Alertmanager" → "PA". */
const initialsOf = (title: string): string => {
  const [first = "", second = ""] = title.split(/[^\p{L}\d]+/u).filter((word) => word !== "");
  return second === "" ? first.slice(0, 2) : `${first.charAt(0)}${second.charAt(0)}`.toUpperCase();
};

/** What its events do: "Opens, acknowledges and resolves alerts." Empty for a type that only notifies. */
function effectOf({ supports }: IntegrationType): string {
  const effects = [
    ...(supports.create ? ["opens"] : []),
    ...(supports.acknowledge ? ["acknowledges"] : []),
    ...(supports.resolve ? ["resolves"] : []),
  ];
  const text = new Intl.ListFormat("en-GB").format(effects);
  return text === "" ? "" : `${capitalized(text)} alerts.`;
}

type ChooseTypeProps = { readonly url: URL; readonly types: readonly IntegrationType[] };

/** The form for a type, with the team that the link named. */
const formOf = (url: URL, type: string): string => {
  const team = url.searchParams.get("team");
  return `/integrations/new?${new URLSearchParams({ type, ...(team && { team }) })}`;
};

const Types = ({ url, types }: ChooseTypeProps) => (
  <ul class="entries">
    {types.map((type) => (
      <li>
        <a class="with-initials" href={formOf(url, type.name)}>
          <span class="initials" aria-hidden="true">
            {initialsOf(type.title)}
          </span>
          <strong>{type.title}</strong>
          <span class="soft">
            {type.description} {effectOf(type)}
          </span>
        </a>
      </li>
    ))}
  </ul>
);

export const ChooseType = ({ url, types }: ChooseTypeProps) => {
  const terms = searchTerms(url.searchParams.get("q") ?? "");
  const found = types.filter(({ title, name, description }) =>
    containsTerms(`${title} ${name} ${description}`, terms),
  );
  const mostUsed = MOST_USED.flatMap((name) => types.find((type) => type.name === name) ?? []);
  const others = types.filter((type) => !mostUsed.includes(type));
  const groups: readonly (readonly [title: string, types: readonly IntegrationType[]])[] =
    terms.length > 0
      ? [["Found", found]]
      : [
          ["Most used", mostUsed],
          ["Other tools that open alerts", others.filter(acceptsEvents)],
          ["Tools that are told of alerts", others.filter((type) => !acceptsEvents(type))],
        ];
  return (
    <>
      <Filters keep={["team"]}>
        <Search label="Search types" />
      </Filters>
      {found.length === 0 ? (
        <Panel>
          <Empty
            title="No type matches"
            next={{ to: formOf(url, GENERIC), label: "Use a custom webhook" }}
          >
            A custom webhook takes any JSON: you say where its title and its state are.
          </Empty>
        </Panel>
      ) : (
        groups.map(([title, group]) => (
          <Panel title={title}>
            <Types url={url} types={group} />
          </Panel>
        ))
      )}
    </>
  );
};
