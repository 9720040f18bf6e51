// Invites many people at once: pasted addresses, what would become of each, then the invitations.
// What could not be added stays in the box.
import { isRefusal, type Refusal, refuseFields } from "../../domain/shared/refusal.ts";
import { ImportAccountUsers } from "../../features/people/account-users/parameters.ts";
import {
  type DeclaredForm,
  declareForm,
  type FormState,
} from "../../kernel/console/declared-form.ts";
import { Button, CheckField, TextArea } from "../../kernel/console/form.tsx";
import { FieldsForm } from "../../kernel/console/form-fields.tsx";
import { Heading, Notice, Panel } from "../../kernel/console/panel.tsx";
import { isPickerSearch } from "../../kernel/console/picker-search.ts";
import { done, redisplayForm, statusAfter } from "../../kernel/console/replies.ts";
import type { Reply } from "../../kernel/console/reply.ts";
import { fieldText, isTicked, textOf } from "../../kernel/console/values.ts";
import { readNames } from "../names.ts";
import { action, type ConsolePage, page, type Visit } from "../page.ts";
import { isAdmin } from "../resource-pages.tsx";
import { readAddresses } from "./address-lines.ts";
import { type ImportEntry, ImportTable, judgeEntries } from "./import-table.tsx";
import { Roles, sentRoles, TEAMS, type WithNames } from "./membership.tsx";

const PATH = "/people/import";
/** Of one request of the API. */
const MOST_AT_ONCE = 50;

const Addresses = ({ values, refusal }: FormState) => (
  <TextArea
    name="addresses"
    parameter="people"
    label="E-mail addresses"
    rows={8}
    required
    value={fieldText(values, "addresses")}
    placeholder={"Ana Silva <ana@example.com>\nben@example.com"}
    help="One per line, or separated by commas or semicolons, with or without names."
    refusal={refusal}
  />
);

const Later = ({ values }: FormState) => (
  <CheckField name="later" label="Send the invitations later" checked={isTicked(values, "later")} />
);

const FORM: DeclaredForm<WithNames> = declareForm(ImportAccountUsers, [
  { draw: Addresses, parameters: ["people"] },
  TEAMS,
  { draw: Roles, body: sentRoles },
  { draw: Later, body: (form) => ({ invite: !isTicked(form, "later") }) },
]);

const FORBIDDEN = { kind: "goto", to: "/people" } as const;

type ImportState = {
  readonly refusal?: Refusal | null;
  /** The entries, once they were pasted. */
  readonly entries?: readonly ImportEntry[];
  /** How many were added, if some were. */
  readonly added?: number;
};

const peopleText = (count: number) => (count === 1 ? "1 person" : `${count} people`);

const Result = ({ added }: { readonly added: number }) => (
  <Notice tone="warn" title={`${peopleText(added)} added.`}>
    The addresses below were not added. Correct them, or invite them again later.
  </Notice>
);

async function show(visit: Visit, shown: ImportState = {}): Promise<Reply> {
  if (!isAdmin(visit)) return FORBIDDEN;
  const { refusal = null, entries = [], added } = shown;
  const names = await readNames(visit.api);
  if (isRefusal(names)) return names;
  const fresh = entries.filter(({ status }) => status === "new" || status === "refused").length;
  const at = Math.min(fresh, MOST_AT_ONCE);
  const body = (
    <div class="narrow">
      <Heading
        title="Invite many people"
        lead="You see what becomes of each address before anybody is invited."
        back={{ to: "/people", label: "People and roles" }}
      />
      {added === undefined ? null : <Result added={added} />}
      {entries.length > 0 ? <ImportTable entries={entries} /> : null}
      <Panel>
        <FieldsForm
          to={PATH}
          session={visit.session}
          form={FORM}
          state={{ values: visit.form, refusal, names }}
        >
          <div class="buttons">
            {at > 0 ? (
              <Button name="confirmed" value="yes">
                {fresh > at ? `Invite the first ${at} of ${fresh}` : `Invite ${peopleText(at)}`}
              </Button>
            ) : null}
            <Button tone={at > 0 ? "plain" : "primary"} name="confirmed" value="">
              Check addresses
            </Button>
          </div>
        </FieldsForm>
      </Panel>
    </div>
  );
  const status = statusAfter(refusal);
  return { kind: "page", status, title: "Invite many people", section: "configuration", body };
}

const LEFT: readonly ImportEntry["status"][] = ["invalid", "refused", "new"];

/** Adds the new ones; shows those that are left, with the reason, in the box and in a table. */
async function importPeople(visit: Visit, entries: readonly ImportEntry[]): Promise<Reply> {
  const fresh = entries.filter(({ status }) => status === "new");
  const sent = fresh.slice(0, MOST_AT_ONCE);
  const imported = await visit.api.post("/account_users/import", {
    ...FORM.bodyOf(visit.form),
    people: sent.map(({ email, name }) => ({ email, name })),
  });
  if (isRefusal(imported)) {
    return redisplayForm(imported, (refusal) => show(visit, { refusal, entries }));
  }
  const after = entries.map((entry): ImportEntry => {
    const result = imported.results[sent.indexOf(entry)];
    if (result === undefined) return entry;
    const { status, message } = result;
    return { ...entry, message, status: status === "added" ? "member" : status };
  });
  const left = after.filter(({ status }) => LEFT.includes(status));
  const added = imported.added_count;
  if (left.length === 0) return done("/people", `${peopleText(added)} added.`);
  const addresses = left.map(({ text }) => text).join("\n");
  const again = { ...visit, form: { ...visit.form, addresses } };
  return show(again, { added, entries: left.map((entry, at) => ({ ...entry, line: at + 1 })) });
}

const EMPTY = refuseFields([{ field: "people", message: "people can't be blank" }]);

async function submit(visit: Visit): Promise<Reply> {
  if (!isAdmin(visit)) return FORBIDDEN;
  const names = await readNames(visit.api);
  if (isRefusal(names)) return names;
  const entries = judgeEntries(readAddresses(textOf(visit.form, "addresses")), names);
  if (entries.length === 0 && !isPickerSearch(visit.form)) return show(visit, { refusal: EMPTY });
  const isConfirmed = textOf(visit.form, "confirmed") === "yes" && !isPickerSearch(visit.form);
  const hasNew = entries.some(({ status }) => status === "new");
  return isConfirmed && hasNew ? importPeople(visit, entries) : show(visit, { entries });
}

export const peopleImportPages: readonly ConsolePage[] = [
  page(PATH, (visit) => show(visit)),
  action(PATH, submit),
];
