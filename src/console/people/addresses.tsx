// A person's addresses on messaging apps: the panel of the settings.

import { randomBytes } from "node:crypto";
import type { Refusal } from "../../domain/shared/refusal.ts";
import type { ChannelAddress } from "../../features/people/channel-addresses/contract.ts";
import {
  type AddressField,
  describeMessenger,
  type MessengerDescription,
} from "../../features/people/channel-addresses/list-messengers.ts";
import { Badge } from "../../kernel/console/badge.tsx";
import { ActionButton, Button, Form, FormFaults, TextField } from "../../kernel/console/form.tsx";
import { Moment } from "../../kernel/console/moment.tsx";
import { LinkButton } from "../../kernel/console/panel.tsx";
import { textOf } from "../../kernel/console/values.ts";
import type { WithVisit } from "../reads.ts";
import { CodeForm } from "./phones.tsx";
import type { ContactProps } from "./reach-panels.tsx";

/** A signing secret to begin with: the person copies it before it is stored. */
const newSecret = () => `whsec_${randomBytes(24).toString("base64")}`;

const initialOf = ({ key, initial }: AddressField): string =>
  key === "secret" ? newSecret() : (initial ?? "");

type NewAddressProps = WithVisit<{ messenger: MessengerDescription; refusal: Refusal | null }>;

const NewAddress = ({ visit, messenger, refusal }: NewAddressProps) => {
  const values = refusal === null ? null : visit.form;
  const fields = ["name", ...messenger.fields.map(({ key }) => `settings.${key}`)];
  return (
    <>
      <h3>Add {messenger.title}</h3>
      <p>{messenger.about}</p>
      <Form to="/settings/addresses" kind="fields">
        <FormFaults {...{ refusal, fields }} />
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
    </>
  );
};

/** The name, or what distinguishes the address; secrets are not shown. */
function addressName({ name, channel, settings }: ChannelAddress): string {
  const { title, fields } = describeMessenger(channel);
  const shown = fields.findLast(({ key, secret }) => !secret && settings[key] !== undefined);
  return name || (shown && settings[shown.key]) || title;
}

const AddressState = ({ address }: { readonly address: ChannelAddress }) => {
  const { confirmed_at, failing_since, failure } = address;
  if (confirmed_at === null) return <Badge tone="warn">not confirmed</Badge>;
  if (failing_since === null) return <Badge tone="good">working</Badge>;
  return (
    <>
      <Badge tone="bad">failing</Badge>
      <span>
        since <Moment at={failing_since} />: {failure}
      </span>
    </>
  );
};

const AddressLine = ({ address }: { readonly address: ChannelAddress }) => {
  const { title, proof } = describeMessenger(address.channel);
  const to = `/settings/addresses/${address.id}`;
  const name = addressName(address);
  const isNew = address.confirmed_at === null;
  return (
    <li class="contact">
      <div class="alert-facts">
        <strong>{name === title ? title : `${title}: ${name}`}</strong>
        <AddressState address={address} />
      </div>
      {isNew && proof === "code" ? <CodeForm to={to} sentTo={name} what="address" /> : null}
      <div class="buttons">
        {isNew ? (
          <ActionButton to={`${to}/code`} label={proof === "code" ? "Send code" : "Get link"} />
        ) : null}
        <ActionButton
          to={`${to}/remove`}
          label="Remove address"
          confirm={`Remove ${title} (${name})? Notifications are no longer sent to it.`}
        />
      </div>
    </li>
  );
};

export const Addresses = ({ visit, me, refused }: ContactProps) => {
  const chosen = visit.query.get("channel") ?? textOf(visit.form, "channel");
  const messenger = me.messengers.find(({ channel }) => channel === chosen);
  return (
    <>
      <p>Confirmed addresses are used like your other channels.</p>
      <ul class="contacts">
        {me.addresses.map((address) => (
          <AddressLine address={address} />
        ))}
      </ul>
      <div class="buttons">
        {me.messengers.map(({ channel, title, proof }) =>
          proof === "link" ? (
            <ActionButton to="/settings/addresses" label={`Add ${title}`} fields={{ channel }} />
          ) : (
            <LinkButton to={`/settings?channel=${channel}#addresses`}>Add {title}</LinkButton>
          ),
        )}
      </div>
      {messenger && messenger.proof === "code" ? (
        <NewAddress {...{ visit, messenger }} refusal={refused} />
      ) : null}
    </>
  );
};
