// Which notification rule a person uses, in their settings.
import { Button, Form, SelectField } from "../../kernel/console/form.tsx";
import type { Me } from "../access/me.ts";
import type { Visit } from "../page.ts";
import { ruleChoices } from "./usable-rules.ts";

/** The person's choice, and the way to a rule of their own. */
export const RuleChoice = ({ visit, me }: { readonly visit: Visit; readonly me: Me }) => {
  const used = me.rules.find(({ id }) => id === me.person.notification_rule_id);
  return (
    <>
      <Form to="/settings/rule" session={visit.session} kind="fields">
        <SelectField
          name="notification_rule_id"
          label="Notification rule"
          choices={[
            { value: "", label: "none (the channels below)" },
            ...ruleChoices(me.rules, "yours"),
          ]}
          value={used?.id ?? ""}
          help="Decides when and on which channels you are notified, step by step."
        />
        <Button tone="plain">Save rule</Button>
      </Form>
      <p>
        {used ? (
          <>
            <a href={`/notification_rules/${used.prefix_id}`}>Open “{used.name}”</a> or{" "}
          </>
        ) : null}
        <a href="/notification_rules/new">{used ? "create" : "Create"} a rule of your own</a>
      </p>
    </>
  );
};
