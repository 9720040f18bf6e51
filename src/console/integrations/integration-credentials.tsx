// An integration's credentials: rotating its token, intake key or URL, and the page that shows a new
// one.
import { fillSnippets, fillSteps } from "../../domain/integrations/fill-placeholders.ts";
import { isRefusal } from "../../domain/shared/refusal.ts";
import type {
  Integration,
  IntegrationType,
} from "../../features/integrations/integrations/contract.ts";
import {
  Button,
  CheckField,
  Form,
  type FormState,
  SelectField,
} from "../../kernel/console/form.tsx";
import {
  CopyField,
  CopyText,
  Heading,
  LinkButton,
  Notice,
  Panel,
} from "../../kernel/console/panel.tsx";
import { notDone, pageReply, type Reply } from "../../kernel/console/reply.ts";
import { isTicked, type Values } from "../../kernel/console/values.ts";
import { action, type ConsolePage, idOf, type Visit } from "../page.ts";
import { withOptionTitles } from "./option-titles.ts";

// How to set up an integration's sender: its steps, and texts to copy with the integration's URL.

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
  /** The address of the deployment's standby; empty: there is none. */
  readonly standby: string;
}) => {
  const { type, record, token } = props;
  const { url = "", intake_key: key = "" } = record;
  const origin = URL.canParse(url) ? new URL(url).origin : "";
  const known = token ?? (hasToken(record) ? HIDDEN_TOKEN : null);
  const values = {
    id: record.prefix_id,
    url,
    key,
    origin,
    token: known,
    standby: props.standby || null,
  };
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
      {fillSnippets(setUp, values).map(({ title, text }) => (
        <CopyText label={title} value={text} />
      ))}
    </>
  );
};

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
export const AcceptedRequests = (of: FormState) => (
  <details class="more">
    <summary>Accepted requests</summary>
    <input type="hidden" name="has_accepted" value="true" />
    <CheckField
      name="accepts_id"
      label="Its ID instead of the webhook URL"
      help="Everybody in the account can read the ID, and could create and resolve alerts with it, unless senders need a token."
      of={of}
    />
    <CheckField
      name="accepts_get"
      label="GET"
      help="For senders that cannot send a POST. Whatever opens the webhook URL creates alerts."
      of={of}
    />
  </details>
);

/** Browsers do not send unticked boxes. */
export const acceptedOf = (form: Values): Values =>
  isTicked(form, "has_accepted")
    ? Object.fromEntries(ACCEPTED.map((name) => [name, String(isTicked(form, name))]))
    : { accepts_id: "false" };

/** Replaces a credential; the response shows the new one. */
export const Rotations = ({ record }: { readonly record: Integration }) => (
  <details>
    <summary>Rotate credentials</summary>
    <Form
      to={`/integrations/${record.prefix_id}/rotate`}
      kind="fields"
      confirm="Rotate this credential? Senders need the new one before the current one expires."
    >
      <SelectField
        name="what"
        label="Credential"
        choices={Object.entries(ROTATED).map(([value, label]) => ({ value, label }))}
        value="token"
      />
      <SelectField name="overlap" label="Current credential" choices={OVERLAPS} value="86400" />
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
  return pageReply(
    integration.name,
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
          <SetUp type={type} record={integration} token={value} standby={visit.env.STANDBY_URL} />
        </Panel>
      )}
      <LinkButton to={to} tone="primary">
        Continue
      </LinkButton>
    </div>,
  );
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
