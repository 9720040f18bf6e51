// The types of integrations to choose from, with a search.
import type { IntegrationType } from "../../features/integrations/integrations/contract.ts";
import { Filters, Search } from "../../kernel/console/filters.tsx";
import { containsWords, wordsOf } from "../../kernel/console/list-view.ts";
import { Empty, Panel } from "../../kernel/console/panel.tsx";

const GENERIC = "custom_webhook";

export const ChooseType = ({
  url,
  types,
}: {
  readonly url: URL;
  readonly types: readonly IntegrationType[];
}) => {
  const words = wordsOf(url.searchParams.get("q") ?? "");
  const found = types.filter(({ title, name, description }) =>
    containsWords(`${title} ${name} ${description}`, words),
  );
  return (
    <Panel title="Choose a type">
      <Filters url={url} keep={[]}>
        <Search url={url} label="Search types" />
      </Filters>
      {found.length === 0 ? (
        <Empty
          title="No type matches"
          next={{ to: `/integrations/new?type=${GENERIC}`, label: "Use a custom webhook" }}
        >
          A custom webhook takes any JSON: you say where its title and its state are.
        </Empty>
      ) : (
        <ul class="entries">
          {found.map(({ name, title, description }) => (
            <li>
              <a href={`/integrations/new?type=${name}`}>
                <strong>{title}</strong>
                <span class="soft">{description}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
};
