// A person's telephone numbers with their actions, and the numbers that call them.
import type { ContactCard, Phone } from "../../features/people/contacts/contract.ts";
import { Badge } from "../../kernel/console/badge.tsx";
import {
  ActionButton,
  Button,
  Form,
  FormFaults,
  SelectField,
  TextField,
} from "../../kernel/console/form.tsx";
import { textOf } from "../../kernel/console/values.ts";
import type { ContactProps } from "./reach-panels.tsx";

/** The path of the card with the numbers that call people. */
export const CONTACT_CARD = "/settings/contact-card.vcf";

type CodeFormProps = { readonly to: string; readonly sentTo: string; readonly what: string };

/** Confirms a number or an address by the code that was sent to it. */
export const CodeForm = ({ to, sentTo, what }: CodeFormProps) => (
  <Form to={`${to}/confirm`}>
    <input
      class="code-field"
      name="code"
      inputmode="numeric"
      autocomplete="one-time-code"
      maxlength={9}
      aria-label={`Code sent to ${sentTo}`}
      placeholder="6-digit code"
      required
    />
    <Button>Confirm {what}</Button>
  </Form>
);

const PhoneLine = ({ phone }: { readonly phone: Phone }) => {
  const to = `/settings/phones/${phone.id}`;
  return (
    <li class="contact">
      <div class="alert-facts">
        <strong>{phone.phone}</strong>
        {phone.confirmed ? (
          <Badge tone="good">confirmed</Badge>
        ) : (
          <Badge tone="warn">not confirmed</Badge>
        )}
        {phone.blocked ? <Badge tone="bad">blocked: send START from this number</Badge> : null}
        {phone.primary ? <Badge tone="neutral">primary</Badge> : null}
      </div>
      {phone.confirmed ? null : <CodeForm to={to} sentTo={phone.phone} what="number" />}
      <div class="buttons">
        {phone.confirmed ? null : <ActionButton to={`${to}/code`} label="Send code" />}
        <ActionButton
          to={`${to}/remove`}
          label="Remove number"
          confirm={`Remove ${phone.phone}? Notifications are no longer sent to it.`}
        />
      </div>
    </li>
  );
};

/** How calls reach somebody whose phone is silent. */
const SilenceHints = ({ card }: { readonly card: ContactCard }) =>
  card.vcard === null ? null : (
    <details>
      <summary>Let our calls through silent mode</summary>
      <p>
        <a class="button plain" href={CONTACT_CARD} download>
          Save our numbers as a contact
        </a>{" "}
        {card.numbers.join(", ")}
      </p>
      <ul>
        <li>
          iPhone: open the contact, choose Edit, Ringtone, and enable Emergency Bypass. Do the same
          under Text Tone.
        </li>
        <li>
          Android: add the contact to your favorites (the star). In Settings, Do Not Disturb, allow
          calls and messages from starred contacts.
        </li>
      </ul>
    </details>
  );

export const Phones = ({ visit, me, refused }: ContactProps) => (
  <>
    <ul class="contacts">
      {me.person.user.phones.map((phone) => (
        <PhoneLine phone={phone} />
      ))}
    </ul>
    <Form to="/settings/phones" kind="fields">
      <FormFaults refusal={refused} fields={["phones_attributes[0].phone"]} />
      <TextField
        name="phone"
        parameter="phones_attributes[0].phone"
        label="New phone number"
        value={refused === null ? "" : textOf(visit.form, "phone")}
        refusal={refused}
        type="tel"
        autocomplete="tel"
        placeholder="+14155550123"
        help="Include the country code. A 6-digit code is sent to this number."
        required
      />
      <SelectField
        name="confirmation_method"
        label="Send code by"
        value={refused === null ? "sms" : textOf(visit.form, "confirmation_method")}
        choices={[
          { value: "sms", label: "SMS" },
          { value: "voice", label: "Phone call" },
        ]}
      />
      <Button tone="plain">Add number and send code</Button>
    </Form>
    <SilenceHints card={me.card} />
  </>
);
