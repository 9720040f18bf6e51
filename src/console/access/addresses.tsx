// Addresses on messaging apps: the form that adds one, the link to the provider, and the actions.
import { randomBytes } from "node:crypto";
import { MESSENGERS } from "../../domain/people/messengers.ts";
import { isRefusal, notFound, type Refusal } from "../../domain/shared/refusal.ts";
import {
  type AddressField,
  describeMessenger,
  listMessengers,
  type MessengerDescription,
} from "../../features/people/channel-addresses/list-messengers.ts";
import { Button, Form, TextField } from "../../kernel/console/form.tsx";
import { Heading, Panel } from "../../kernel/console/panel.tsx";
import {
  done,
  notDone,
  redisplayForm,
  refusalText,
  statusAfter,
} from "../../kernel/console/replies.ts";
import type { Reply } from "../../kernel/console/reply.ts";
import { textOf, type Values } from "../../kernel/console/values.ts";
import { action, type ConsolePage, idOf, page, type Visit } from "../page.ts";

const BACK = "/settings#addresses";

/** A signing secret to begin with: the person copies it before it is stored. */
const newSecret = () => `whsec_${randomBytes(24).toString("base64")}`;

const initialOf = ({ key, initial }: AddressField): string =>
  key === "secret" ? newSecret() : (initial ?? "");

const NewAddress = ({
  visit,
  messenger,
  values,
  refusal,
}: {
  readonly visit: Visit;
  readonly messenger: MessengerDescription;
  readonly values: Values | null;
  readonly refusal: Refusal | null;
}) => (
  <Panel title="Address">
    <p>{messenger.about}</p>
    <Form to="/settings/addresses" session={visit.session} kind="fields">
      <input type="hidden" name="channel" value={messenger.channel} />
      {messenger.fields.map((one) => (
        <TextField
          name={one.key}
          label={one.required ? one.label : `${one.label} (optional)`}
          help={one.help}
          value={values === null ? initialOf(one) : textOf(values, one.key)}
          parameter={`settings.${one.key}`}
          refusal={refusal}
          required={one.required}
          maxlength={2_048}
          autocomplete="off"
          {...(one.url && { inputmode: "url" as const })}
        />
      ))}
      <TextField
        name="name"
        label="Name (optional)"
        value={values === null ? "" : textOf(values, "name")}
        refusal={refusal}
        maxlength={255}
      />
      <Button>Add and send code</Button>
    </Form>
  </Panel>
);

function addressPage(
  visit: Visit,
  messenger: MessengerDescription,
  values: Values | null = null,
  refusal: Refusal | null = null,
): Reply {
  const others = (refusal?.errors ?? []).filter(({ field }) => !field);
  return {
    kind: "page",
    status: statusAfter(refusal),
    title: `Add ${messenger.title}`,
    section: "settings",
    body: (
      <>
        <Heading title={`Add ${messenger.title}`}>
          <a class="button plain" href={BACK}>
            Back to settings
          </a>
        </Heading>
        {refusal && others.length > 0 ? (
          <p class="faults" role="alert">
            {refusalText({ ...refusal, errors: others })}
          </p>
        ) : null}
        <NewAddress visit={visit} messenger={messenger} values={values} refusal={refusal} />
      </>
    ),
  };
}

async function newAddress(visit: Visit): Promise<Reply> {
  const channel = visit.query.get("channel");
  const messenger = listMessengers(visit.env).find((one) => one.channel === channel);
  return messenger === undefined ? notFound("channel_address") : addressPage(visit, messenger);
}

const linkPage = (title: string, url: string): Reply => ({
  kind: "page",
  title: `Link ${title}`,
  section: "settings",
  body: (
    <>
      <Heading title={`Link ${title}`}>
        <a class="button plain" href={BACK}>
          Back to settings
        </a>
      </Heading>
      <Panel title="Open the bot">
        <p>
          Open the link on the device that has {title}, and choose Start. It is valid for a short
          time, and links the chat of whoever opens it: do not share it.
        </p>
        <p>
          <a class="button primary" href={url} rel="noreferrer">
            Open {title}
          </a>
        </p>
        <p>
          <code>{url}</code>
        </p>
      </Panel>
    </>
  ),
});

/** Sends the code of an address, or shows the page with its link. */
async function sendCode({ api }: Visit, id: string, title: string): Promise<Reply> {
  const proof = await api.post("/channel_addresses/:id/send_code", { id });
  if (isRefusal(proof)) return notDone(BACK, proof);
  return proof.link_url === null
    ? done(BACK, `Code sent by ${title}. Enter it below.`)
    : linkPage(title, proof.link_url);
}

/** Adds an address and sends its code: two API calls, the second only if the first succeeds. */
async function addAddress(visit: Visit): Promise<Reply> {
  const { api, form } = visit;
  const channel = MESSENGERS.find((one) => one === textOf(form, "channel"));
  if (channel === undefined) return notFound("channel_address");
  const messenger = describeMessenger(channel);
  const settings = Object.fromEntries(messenger.fields.map(({ key }) => [key, textOf(form, key)]));
  const name = textOf(form, "name");
  const address = await api.post("/channel_addresses", { channel, settings, name });
  if (isRefusal(address)) {
    return redisplayForm(address, (refusal) => addressPage(visit, messenger, form, refusal));
  }
  return sendCode(visit, address.id, messenger.title);
}

async function sendAnother(visit: Visit): Promise<Reply> {
  const id = idOf(visit);
  const address = await visit.api.get("/channel_addresses/:id", { id });
  if (isRefusal(address)) return notDone(BACK, address);
  return sendCode(visit, id, describeMessenger(address.channel).title);
}

async function confirm(visit: Visit): Promise<Reply> {
  const body = { id: idOf(visit), code: textOf(visit.form, "code") };
  const confirmed = await visit.api.post("/channel_addresses/:id/confirm", body);
  return isRefusal(confirmed)
    ? notDone(BACK, confirmed)
    : done(BACK, "Address confirmed. You get notifications there.");
}

async function remove(visit: Visit): Promise<Reply> {
  const removed = await visit.api.delete("/channel_addresses/:id", { id: idOf(visit) });
  return isRefusal(removed) ? notDone(BACK, removed) : done(BACK, "Address removed.");
}

export const addressesPages: readonly ConsolePage[] = [
  page("/settings/addresses/new", newAddress),
  action("/settings/addresses", addAddress),
  action("/settings/addresses/:id/code", sendAnother),
  action("/settings/addresses/:id/confirm", confirm),
  action("/settings/addresses/:id/remove", remove),
];
