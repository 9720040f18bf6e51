// The form that hands an alert off to another team or person, or requests them as responders. A
// long list of choices is searched; without scripts, it loads on request.
import type { Alert } from "../../features/alerts/alerts/contract.ts";
import { isWhole, Unfold } from "../../kernel/console/folded.tsx";
import { Button, Form, SelectField, TextArea } from "../../kernel/console/form.tsx";
import { FEW_OPTIONS } from "../../kernel/console/picker-search.ts";
import type { Names } from "../names.ts";
import type { Visit } from "../page.ts";
import { isRunning } from "./alert-state.ts";

export const HandOff = ({
  alert,
  names,
  visit,
}: {
  readonly alert: Alert;
  readonly names: Names;
  readonly visit: Visit;
}) => {
  const { session, url } = visit;
  if (!isRunning(alert)) return null;
  const isExpanded = isWhole(url, "handoff");
  const choices = [
    { value: "", label: "Choose a team or a person" },
    ...names.teams.map(({ id, name }) => ({ value: `team ${id}`, label: name })),
    ...names.people.map(({ id, user }) => ({ value: `person ${id}`, label: user.name })),
  ];
  return (
    <details class="panel" id="handoff" open={isExpanded}>
      <summary>Hand off or add responders</summary>
      <Form to={`/alerts/${alert.prefix_id}/handoff`} session={session} kind="fields">
        {isExpanded || choices.length <= FEW_OPTIONS ? (
          <SelectField name="to" label="Team or person" choices={choices} required />
        ) : (
          <>
            <SelectField
              {...{ name: "to", label: "Team or person", choices, source: "destinations" }}
              required
            />
            <noscript>
              <Unfold url={url} part="handoff">
                List all teams and people
              </Unfold>
            </noscript>
          </>
        )}
        <TextArea name="note" label="Note" rows={2} />
        <div class="buttons">
          <Button>Hand off</Button>
          <Button tone="plain" to={`/alerts/${alert.prefix_id}/responders`}>
            Add as responder
          </Button>
        </div>
      </Form>
    </details>
  );
};
