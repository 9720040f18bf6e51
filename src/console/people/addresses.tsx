// A person's addresses on messaging apps: the panel of the settings.

import type { ChannelAddress } from "../../features/people/channel-addresses/contract.ts";
import { describeMessenger } from "../../features/people/channel-addresses/list-messengers.ts";
import { Badge } from "../../kernel/console/badge.tsx";
import { ActionButton, Button, Form } from "../../kernel/console/form.tsx";
import { Moment } from "../../kernel/console/moment.tsx";
import type { Me } from "../access/me.ts";
import type { Visit } from "../page.ts";

type AddressesProps = { readonly visit: Visit; readonly me: Me };

/** The name, or what distinguishes the address; secrets are not shown. */
function addressName({ name, channel, settings }: ChannelAddress): string {
  const { title, fields } = describeMessenger(channel);
  const shown = fields.findLast(({ key, secret }) => !secret && settings[key] !== undefined);
  return name || (shown && settings[shown.key]) || title;
}

const AddressState = ({
  visit,
  address,
}: {
  readonly visit: Visit;
  readonly address: ChannelAddress;
}) => {
  const { confirmed_at, failing_since, failure } = address;
  if (confirmed_at === null) return <Badge tone="warn">not confirmed</Badge>;
  if (failing_since === null) return <Badge tone="good">working</Badge>;
  return (
    <>
      <Badge tone="bad">failing</Badge>
      <span>
        since <Moment at={failing_since} zone={visit.session.timeZone} now={visit.now} />: {failure}
      </span>
    </>
  );
};

const CodeForm = ({
  visit,
  address,
}: {
  readonly visit: Visit;
  readonly address: ChannelAddress;
}) => (
  <Form to={`/settings/addresses/${address.id}/confirm`} session={visit.session}>
    <input
      class="code-field"
      name="code"
      inputmode="numeric"
      autocomplete="one-time-code"
      maxlength={9}
      aria-label={`Code sent to ${addressName(address)}`}
      placeholder="6-digit code"
      required
    />
    <Button>Confirm address</Button>
  </Form>
);

const AddressLine = ({
  visit,
  address,
}: {
  readonly visit: Visit;
  readonly address: ChannelAddress;
}) => {
  const { title, proof } = describeMessenger(address.channel);
  const to = `/settings/addresses/${address.id}`;
  const name = addressName(address);
  const isNew = address.confirmed_at === null;
  return (
    <li class="contact">
      <div class="alert-facts">
        <strong>{name === title ? title : `${title}: ${name}`}</strong>
        <AddressState visit={visit} address={address} />
      </div>
      {isNew && proof === "code" ? <CodeForm visit={visit} address={address} /> : null}
      <div class="buttons">
        {isNew ? (
          <ActionButton
            to={`${to}/code`}
            session={visit.session}
            label={proof === "code" ? "Send code" : "Get link"}
          />
        ) : null}
        <ActionButton
          to={`${to}/remove`}
          session={visit.session}
          label="Remove address"
          confirm={`Remove ${title} (${name})? Notifications are no longer sent to it.`}
        />
      </div>
    </li>
  );
};

export const Addresses = ({ visit, me }: AddressesProps) => (
  <>
    <p>Confirmed addresses are used like your other channels.</p>
    <ul class="contacts">
      {me.addresses.map((address) => (
        <AddressLine visit={visit} address={address} />
      ))}
    </ul>
    <div class="buttons">
      {me.messengers.map(({ channel, title, proof }) =>
        proof === "link" ? (
          <ActionButton
            to="/settings/addresses"
            session={visit.session}
            label={`Add ${title}`}
            fields={{ channel }}
          />
        ) : (
          <a class="button plain" href={`/settings/addresses/new?channel=${channel}`}>
            Add {title}
          </a>
        ),
      )}
    </div>
  </>
);
