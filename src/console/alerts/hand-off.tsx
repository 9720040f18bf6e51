// The form that hands an alert off to another team or person, or requests them as responders. A
// long list of choices is searched; without scripts, it loads on request.
import type { Alert } from "../../features/alerts/alerts/contract.ts";
import type { Choice } from "../../kernel/console/choice.ts";
import { isWhole, Unfold } from "../../kernel/console/folded.tsx";
import { Button, Form, SelectField, TextArea } from "../../kernel/console/form.tsx";
import { FEW_OPTIONS } from "../../kernel/console/picker-search.ts";
import { textOf, type Values } from "../../kernel/console/values.ts";
import type { Names, PageProps } from "../reads.ts";

/** Who may be asked about an alert. People first: teams are few, and their names begin with a word. */
export const destinationChoices = (
  { teams, people }: Names,
  none = "Name of a person or a team",
): readonly Choice[] => [
  { value: "", label: none },
  ...people.map(({ id, user }) => ({ value: `person ${id}`, label: user.name })),
  ...teams.map(({ id, name }) => ({ value: `team ${id}`, label: `Team ${name}` })),
];

/** Whom a form with these choices names, as a parameter of the API; null: nobody. */
export function chosenIn(form: Values, prefix: "" | "destination_" = "destination_") {
  const [kind, id = ""] = textOf(form, "to").split(" ");
  const name = kind === "team" ? "team_ids" : "account_user_ids";
  return id === "" ? null : { [`${prefix}${name}`]: [id] };
}

export const HandOff = ({ alert, names, visit }: PageProps<{ alert: Alert }>) => {
  const { url } = visit;
  const choices = destinationChoices(names);
  const isSearched = !isWhole(url, "handoff") && choices.length > FEW_OPTIONS;
  return (
    <Form to={`/alerts/${alert.prefix_id}/handoff`} kind="fields" id="handoff">
      <SelectField
        {...{ name: "to", label: "Person or team", choices }}
        {...(isSearched && { source: "destinations" as const })}
        required
      />
      {isSearched ? (
        <noscript>
          <Unfold part="handoff">List all people and teams</Unfold>
        </noscript>
      ) : null}
      <TextArea name="note" label="Note" rows={1} />
      <div class="buttons">
        <Button tone="plain">Hand off</Button>
        <Button tone="plain" to={`/alerts/${alert.prefix_id}/responders`}>
          Add as responder
        </Button>
      </div>
    </Form>
  );
};
