// An integration's credentials: rotating its token, intake key or URL, and the page that shows a new
// one.
import { isRefusal } from "../../domain/shared/refusal.ts";
import type { Integration } from "../../features/integrations/integrations/contract.ts";
import { Button, CheckField, Form, SelectField } from "../../kernel/console/form.tsx";
import { CopyField, Heading, Notice, Panel } from "../../kernel/console/panel.tsx";
import { notDone } from "../../kernel/console/replies.ts";
import type { Reply } from "../../kernel/console/reply.ts";
import { isTicked, type Values } from "../../kernel/console/values.ts";
import { action, type ConsolePage, idOf, type Visit } from "../page.ts";
import { SetUp } from "./set-up.tsx";

const ROTATED = { token: "token", intake_key: "intake key", url: "webhook URL" } as const;

const OVERLAPS = [
  { value: "86400", label: "valid for one more day" },
  { value: "3600", label: "valid for one more hour" },
  { value: "604800", label: "valid for one more week" },
  { value: "0", label: "revoked now" },
];

/** The key for senders with a single key field, such as PagerDuty's and Opsgenie's clients. */
export const IntakeKey = ({ record }: { readonly record: Integration }) =>
  record.intake_key === undefined ? null : (
    <details>
      <summary>Intake key</summary>
      <CopyField label="Intake key" value={record.intake_key} />
      <p class="help">
        For senders that take a key instead of a URL, such as a PagerDuty routing key or an Opsgenie
        GenieKey.
      </p>
    </details>
  );

export const ACCEPTED = ["accepts_id", "accepts_get"] as const;

/** Which requests an integration accepts. A new one has its type's defaults, and needs its URL. */
export const AcceptedRequests = ({ values }: { readonly values: Values }) => (
  <fieldset class="group">
    <legend>Accepted requests</legend>
    <input type="hidden" name="has_accepted" value="true" />
    <CheckField
      name="accepts_id"
      label="Its ID instead of the webhook URL"
      help="Everybody in the account can read the ID, and could create and resolve alerts with it, unless senders need a token."
      checked={isTicked(values, "accepts_id")}
    />
    <CheckField
      name="accepts_get"
      label="GET"
      help="For senders that cannot send a POST. Whatever opens the webhook URL creates alerts."
      checked={isTicked(values, "accepts_get")}
    />
  </fieldset>
);

/** Browsers do not send unticked boxes. */
export const acceptedOf = (form: Values): Values =>
  isTicked(form, "has_accepted")
    ? Object.fromEntries(ACCEPTED.map((name) => [name, String(isTicked(form, name))]))
    : { accepts_id: "false" };

/** Replaces a credential; the response shows the new one. */
export const Rotations = ({
  visit,
  record,
}: {
  readonly visit: Visit;
  readonly record: Integration;
}) => (
  <details>
    <summary>Rotate credentials</summary>
    <Form
      to={`/integrations/${record.prefix_id}/rotate`}
      session={visit.session}
      kind="fields"
      confirm="Rotate this credential? Senders need the new one before the current one expires."
    >
      <SelectField
        name="what"
        label="Credential"
        choices={Object.entries(ROTATED).map(([value, label]) => ({ value, label }))}
        value="token"
        refusal={null}
      />
      <SelectField
        name="overlap"
        label="Current credential"
        choices={OVERLAPS}
        value="86400"
        refusal={null}
      />
      <Button tone="plain">Rotate credential</Button>
    </Form>
  </details>
);

/** The page that shows a new credential; of a token, only the response to the form contains it. */
async function credentialPage(
  visit: Visit,
  integration: Integration,
  what: keyof typeof ROTATED,
  value: string,
): Promise<Reply> {
  const label = ROTATED[what];
  const id = integration.integration_type_id;
  const type = what === "token" ? await visit.api.get("/integration_types/:id", { id }) : null;
  const to = `/integrations/${integration.prefix_id}`;
  return {
    kind: "page",
    title: integration.name,
    section: "configuration",
    body: (
      <div class="narrow">
        <Heading title={integration.name} back={{ to: "/integrations", label: "Integrations" }} />
        <Notice
          tone="good"
          title={
            what === "token" ? "Copy the token now. It is shown only once." : `Copy the ${label}.`
          }
        >
          <CopyField label={`New ${label}`} value={value} />
          {what === "token" ? (
            <p class="help">
              Senders pass the token in the header service-token or as a bearer token.
            </p>
          ) : null}
        </Notice>
        {type === null || isRefusal(type) || integration.url === undefined ? null : (
          <Panel title={`Set up ${type.title}`} id="set-up">
            <SetUp type={type} record={integration} token={value} />
          </Panel>
        )}
        <a class="button primary" href={to}>
          Continue
        </a>
      </div>
    ),
  };
}

async function rotate(visit: Visit): Promise<Reply> {
  const id = idOf(visit);
  const { what, overlap } = visit.form;
  const rotated = await visit.api.post("/integrations/:id/rotate", { id, what, overlap });
  if (isRefusal(rotated)) return notDone(`/integrations/${encodeURIComponent(id)}`, rotated);
  const integration = await visit.api.get("/integrations/:id", { id });
  if (isRefusal(integration)) return integration;
  return credentialPage(visit, integration, rotated.what as keyof typeof ROTATED, rotated.value);
}

export const rotationActions: readonly ConsolePage[] = [action("/integrations/:id/rotate", rotate)];
