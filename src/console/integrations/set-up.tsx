// How to set up an integration's sender: its steps, and texts to copy with the integration's URL.

import { fillSnippet, fillSteps } from "../../domain/integrations/fill-placeholders.ts";
import type {
  Integration,
  IntegrationType,
} from "../../features/integrations/integrations/contract.ts";
import { CopyText } from "../../kernel/console/panel.tsx";
import { withOptionTitles } from "./option-titles.ts";

/** Stands for a token that is not shown again. */
const HIDDEN_TOKEN = "YOUR_TOKEN";

/** Whether an integration has a token, which the API shows only when it is made. */
export const hasToken = ({ options }: Integration): boolean =>
  options.token !== null && options.token !== undefined;

/**
 * The steps and texts for an integration whose URL the viewer may see. `token`: the token, where it
 * was just made; otherwise a placeholder stands for it.
 */
export const SetUp = (props: {
  readonly type: IntegrationType;
  readonly record: Integration;
  readonly token?: string;
}) => {
  const { type, record, token } = props;
  const { url = "", intake_key: key = "" } = record;
  const origin = URL.canParse(url) ? new URL(url).origin : "";
  const known = token ?? (hasToken(record) ? HIDDEN_TOKEN : null);
  const values = { id: record.prefix_id, url, key, origin, token: known };
  const { set_up: setUp } = type;
  return (
    <>
      <ol class="set-up">
        {fillSteps(setUp, values).map((parts) => (
          <li>
            {parts.map(({ text, isValue }) =>
              isValue ? <code>{text}</code> : withOptionTitles(text, type),
            )}
          </li>
        ))}
      </ol>
      {setUp.snippets.map(({ title, text }) => (
        <CopyText label={title} value={fillSnippet(setUp, text, values)} />
      ))}
    </>
  );
};
