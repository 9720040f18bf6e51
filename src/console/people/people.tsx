// People and roles: the members of the account, and the invitation of others.
import { counted } from "../../domain/shared/counted.ts";
import { isRefusal, type Refusal, refuse, refuseFields } from "../../domain/shared/refusal.ts";
import { ImportAccountUsers } from "../../features/people/account-users/parameters.ts";
import { Badge, type Tone } from "../../kernel/console/badge.tsx";
import { type DeclaredForm, declareForm } from "../../kernel/console/declared-form.ts";
import { Button, CheckField, type FormState, TextArea } from "../../kernel/console/form.tsx";
import { FieldsForm } from "../../kernel/console/form-fields.tsx";
import { Heading, LinkButton, Notice, Panel } from "../../kernel/console/panel.tsx";
import { isPickerSearch } from "../../kernel/console/picker-search.ts";
import { RecordList } from "../../kernel/console/record-list.tsx";
import { done, pageReply, type Reply, redisplayForm } from "../../kernel/console/reply.ts";
import { Table } from "../../kernel/console/table.tsx";
import { isTicked, textOf } from "../../kernel/console/values.ts";
import { action, type ConsolePage, page, type Visit } from "../page.ts";
import { type Names, type PageProps, readNames } from "../reads.ts";
import { isAdmin, SETUP } from "../resource-pages.tsx";
import { type AddressEntry, hasAddress, readAddresses } from "./address-lines.ts";
import {
  Emails,
  type FormWithNames,
  Roles,
  roleNames,
  sentRoles,
  TEAMS,
  teamNames,
} from "./membership.tsx";

// What becomes of each pasted address: before an import, and after it.

type EntryStatus = "new" | "member" | "pending" | "repeated" | "invalid" | "refused";

type ImportEntry = AddressEntry & {
  readonly status: EntryStatus;
  /** What the API says about it, if anything. */
  readonly message?: string | null;
};

const WORDS: Readonly<Record<EntryStatus, readonly [Tone, string]>> = {
  new: ["good", "new"],
  member: ["quiet", "already a member"],
  pending: ["quiet", "already invited"],
  repeated: ["quiet", "repeated"],
  invalid: ["bad", "not an e-mail address"],
  refused: ["bad", "not added"],
};

/** What would become of each entry. */
function judgeEntries(
  entries: readonly AddressEntry[],
  { people }: Pick<Names, "people">,
): readonly ImportEntry[] {
  const states = new Map(
    people.flatMap(({ state, user }) =>
      user.emails.map(({ email }) => [email.toLowerCase(), state] as const),
    ),
  );
  const seen = new Set<string>();
  return entries.map((entry) => {
    const isRepeated = seen.has(entry.email);
    seen.add(entry.email);
    if (!hasAddress(entry)) return { ...entry, status: "invalid" };
    if (isRepeated) return { ...entry, status: "repeated" };
    const state = states.get(entry.email);
    if (state === undefined) return { ...entry, status: "new" };
    return { ...entry, status: state === "pending" ? "pending" : "member" };
  });
}

const ImportTable = ({ entries }: { readonly entries: readonly ImportEntry[] }) => (
  <Table
    label="Pasted addresses"
    rows={entries}
    columns={[
      { title: "Line", kind: "number", cell: ({ line }) => line },
      { title: "Name", cell: ({ name, email }) => name || email.split("@", 1)[0] },
      { title: "E-mail", cell: ({ email, text }) => email || text },
      {
        title: "Status",
        cell: ({ status, message }) => {
          const [tone, word] = WORDS[status];
          return (
            <>
              <Badge tone={tone}>{word}</Badge> {message}
            </>
          );
        },
      },
    ]}
  />
);

// The form that invites people: one or many addresses, and what becomes of each before anybody is invited.

/** Of one request of the API. */
const MOST_AT_ONCE = 50;

const Addresses = (of: FormState) => (
  <TextArea
    name="addresses"
    parameter="people"
    label="E-mail addresses"
    rows={8}
    required
    of={of}
    placeholder={"Ana Silva <ana@example.com>\nben@example.com"}
    help="One per line, or separated by commas or semicolons, with or without names."
  />
);

const Later = (of: FormState) => (
  <CheckField of={of} name="later" label="Send the invitations later" />
);

const INVITATION: DeclaredForm<FormWithNames> = declareForm(ImportAccountUsers, [
  { draw: Addresses, parameters: ["people"] },
  TEAMS,
  { draw: Roles, body: sentRoles },
  { draw: Later, body: (form) => ({ invite: !isTicked(form, "later") }) },
]);

/** The state of the form when it is shown again. */
type Invitations = {
  readonly refusal?: Refusal | null;
  /** The entries, once they were entered. */
  readonly entries?: readonly ImportEntry[];
  /** How many were added, if some were. */
  readonly added?: number;
};

const Result = ({ added }: { readonly added: number }) => (
  <Notice tone="warn" title={`${counted(added, "person", "people")} added.`}>
    The addresses below were not added. Correct them, or invite them again later.
  </Notice>
);

const InvitePanel = ({ visit, names, shown }: PageProps<{ shown: Invitations }>) => {
  const { refusal = null, entries = [], added } = shown;
  const fresh = entries.filter(({ status }) => status === "new" || status === "refused").length;
  const at = Math.min(fresh, MOST_AT_ONCE);
  return (
    <>
      {added === undefined ? null : <Result added={added} />}
      {entries.length > 0 ? <ImportTable entries={entries} /> : null}
      <Panel title="Invite people" id="invite">
        <FieldsForm to="/people" form={INVITATION} state={{ values: visit.form, refusal, names }}>
          <div class="buttons">
            {at > 0 ? (
              <Button name="confirmed" value="yes">
                {fresh > at
                  ? `Invite the first ${at} of ${fresh}`
                  : `Invite ${counted(at, "person", "people")}`}
              </Button>
            ) : null}
            <Button tone={at > 0 ? "plain" : "primary"} name="confirmed" value="">
              {at > 0 ? "Check addresses" : "Invite"}
            </Button>
          </div>
        </FieldsForm>
      </Panel>
    </>
  );
};

/** @param shown the form of the invitations, if it is shown again */
async function showPeople(visit: Visit, shown: Invitations = {}): Promise<Reply> {
  const names = await readNames(visit.api);
  if (isRefusal(names)) return names;
  const body = (
    <>
      <Heading title="People and roles" lead="The members of this account." back={SETUP}>
        {isAdmin(visit) ? <LinkButton to="#invite">Invite people</LinkButton> : null}
      </Heading>
      {isAdmin(visit) && shown.entries ? <InvitePanel {...{ visit, names, shown }} /> : null}
      <RecordList
        label="People"
        initial="Name"
        empty={null}
        rows={names.people}
        columns={[
          {
            title: "Name",
            cell: (it) => <a href={`/people/${it.prefix_id}`}>{it.user.name}</a>,
            by: ({ user }) => user.name,
          },
          {
            title: "E-mail",
            cell: (it) => <Emails person={it} />,
            by: ({ user }) => user.emails.map(({ email }) => email).join(" "),
          },
          {
            title: "Roles",
            cell: (it) => (
              <span>
                {it.state === "pending" ? <Badge tone="warn">invited</Badge> : null}
                {roleNames(names, it).map((role) => (
                  <Badge tone="neutral">{role}</Badge>
                ))}
              </span>
            ),
            by: (it) =>
              [...(it.state === "pending" ? ["invited"] : []), ...roleNames(names, it)].join(" "),
          },
          { title: "Teams", by: (it) => teamNames(names, it) },
        ]}
      />
      {isAdmin(visit) && !shown.entries ? <InvitePanel {...{ visit, names, shown }} /> : null}
    </>
  );
  return pageReply("People and roles", body, shown.refusal ?? null);
}

const FORBIDDEN = refuse("forbidden", "only an admin can invite people");

const LEFT: readonly ImportEntry["status"][] = ["invalid", "refused", "new"];

/** Adds the new ones; shows those that are left, with the reason, in the box and in a table. */
async function importPeople(visit: Visit, entries: readonly ImportEntry[]): Promise<Reply> {
  const fresh = entries.filter(({ status }) => status === "new");
  const sent = fresh.slice(0, MOST_AT_ONCE);
  const imported = await visit.api.post("/account_users/import", {
    ...INVITATION.bodyOf(visit.form),
    people: sent.map(({ email, name }) => ({ email, name })),
  });
  if (isRefusal(imported)) {
    return redisplayForm(imported, (refusal) => showPeople(visit, { refusal, entries }));
  }
  const after = entries.map((entry): ImportEntry => {
    const result = imported.results[sent.indexOf(entry)];
    if (result === undefined) return entry;
    const { status, message } = result;
    return { ...entry, message, status: status === "added" ? "member" : status };
  });
  const left = after.filter(({ status }) => LEFT.includes(status));
  const added = imported.added_count;
  const then = isTicked(visit.form, "later")
    ? "added. No invitation has been sent."
    : "invited by e-mail.";
  if (left.length === 0) return done("/people", `${counted(added, "person", "people")} ${then}`);
  const addresses = left.map(({ text }) => text).join("\n");
  const again = { ...visit, form: { ...visit.form, addresses } };
  return showPeople(again, {
    added,
    entries: left.map((entry, at) => ({ ...entry, line: at + 1 })),
  });
}

const EMPTY = refuseFields([{ field: "people", message: "people can't be blank" }]);

async function submit(visit: Visit): Promise<Reply> {
  if (!isAdmin(visit)) return FORBIDDEN;
  const names = await readNames(visit.api);
  if (isRefusal(names)) return names;
  const entries = judgeEntries(readAddresses(textOf(visit.form, "addresses")), names);
  if (entries.length === 0 && !isPickerSearch(visit.form))
    return showPeople(visit, { refusal: EMPTY });
  // One address needs no look at what becomes of it.
  const isSure = textOf(visit.form, "confirmed") === "yes" || entries.length === 1;
  const isConfirmed = isSure && !isPickerSearch(visit.form);
  const hasNew = entries.some(({ status }) => status === "new");
  return isConfirmed && hasNew ? importPeople(visit, entries) : showPeople(visit, { entries });
}

export const peoplePages: readonly ConsolePage[] = [
  page("/people", (visit) => showPeople(visit)),
  action("/people", submit),
];
