// Handing an alert off to another team or person. Where there are very many to choose from, they are listed only for who
// asks for it.
import type { Alert } from "../../contract/alerts/alert.ts";
import type { Names } from "../names.ts";
import type { Visit } from "../page.ts";
import { isWhole, Unfold } from "./folded.tsx";
import { Button, Form, SelectField, TextArea } from "./form.tsx";
import { Panel } from "./panel.tsx";

/** Each costs about 30 bytes of every look at the page. */
const MOST_CHOICES = 200;

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
  if (!["open", "acknowledged", "dropped"].includes(alert.status)) return null;
  const isAsked = isWhole(url, "handoff");
  if (names.teams.length + names.people.length > MOST_CHOICES && !isAsked) {
    return (
      <Panel id="handoff">
        <Unfold url={url} part="handoff">
          Hand off to somebody else
        </Unfold>
      </Panel>
    );
  }
  const choices = [
    { value: "", label: "Choose who is to have it" },
    ...names.teams.map(({ id, name }) => ({ value: `team ${id}`, label: name })),
    ...names.people.map(({ id, user }) => ({ value: `person ${id}`, label: user.name })),
  ];
  return (
    <details class="panel" id="handoff" open={isAsked}>
      <summary>Hand off to somebody else</summary>
      <Form to={`/alerts/${alert.prefix_id}/handoff`} session={session} kind="fields">
        <SelectField name="to" label="To" choices={choices} required />
        <TextArea name="note" label="What they should know" rows={2} />
        <Button>Hand off</Button>
      </Form>
    </details>
  );
};
