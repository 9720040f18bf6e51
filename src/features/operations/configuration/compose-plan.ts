// Composes the changes that verbs decide for planned ones, so that a file is validated as requests of
// the API are and all its changes can be committed at once.
import type { RecordKind } from "../../../domain/shared/identifiers.ts";
import {
  type FieldError,
  isRefusal,
  type Refusal,
  refuse,
} from "../../../domain/shared/refusal.ts";
import { expecting } from "../../../kernel/db/database.ts";
import { type ComposedChange, composeChange, statementsOf } from "../../change/compose.ts";
import type { PlannedChange } from "./plan-import.ts";
import type { AdminContext } from "./section.ts";

const MOST_FAULTS = 100;

/** D1 allows a request a thousand statements. */
const MOST_STATEMENTS = 900;

/**
 * Composes the changes in their order.
 *
 * @returns what to commit; the refusal of the verbs, with the places in the file, or of a file that
 *   changes more than one transaction can write
 */
export async function composePlan(
  context: AdminContext,
  planned: readonly PlannedChange[],
): Promise<readonly ComposedChange[] | Refusal> {
  const created = planned.filter(({ stored }) => stored === null);
  const expected = new Map<RecordKind, ReadonlySet<string>>(
    [...Map.groupBy(created, ({ section }) => section.kind)].map(([kind, changes]) => [
      kind,
      new Set(changes.map(({ id }) => id)),
    ]),
  );
  let reads = 0;
  const counted = {
    prepare: (query: string) => {
      reads += 1;
      return context.db.prepare(query);
    },
    batch: context.db.batch.bind(context.db),
  };
  const composing = { ...context, db: expecting(counted, expected) };
  const composed: ComposedChange[] = [];
  const refusals: Refusal[] = [];
  for (const change of planned) {
    const result = await composeOne(composing, change);
    if (isRefusal(result)) refusals.push(result);
    else composed.push(result);
    if (reads + statementsOf(composed) > MOST_STATEMENTS) return tooLarge(planned.length);
  }
  const [first] = refusals;
  if (first === undefined) return composed;
  const { reason } = refusals.find((it) => it.reason !== "invalid") ?? first;
  const errors = refusals.flatMap((it) => it.errors).slice(0, MOST_FAULTS);
  return { kind: "refusal", reason, errors };
}

const tooLarge = (count: number): Refusal =>
  refuse(
    "invalid",
    `configuration changes ${count} records, more than one transaction can write; apply it in parts`,
    "configuration",
  );

async function composeOne(
  context: AdminContext,
  { section, id, parameters, stored, place }: PlannedChange,
): Promise<ComposedChange | Refusal> {
  const verb = stored === null ? section.create : section.update;
  const result = await composeChange(context, await verb(context, id, parameters));
  if (!isRefusal(result)) return result;
  const errors = result.errors.map((error) => placed(error, place, section.fieldNames));
  return { ...result, errors };
}

/** A verb's fault at its place in the file, with the name that the field has there. */
function placed(
  { field, message }: FieldError,
  place: string,
  fieldNames: Readonly<Record<string, string>>,
): FieldError {
  if (field === undefined) return { field: place, message: `${place}: ${message}` };
  const [parameter = "", rest = ""] = [/^[^.[]+/.exec(field)?.[0], field.replace(/^[^.[]+/, "")];
  const name = fieldNames[parameter] ?? parameter;
  const at = `${place}${name === "" ? rest : `.${name}${rest}`}`;
  const said = message.startsWith(field) ? message.slice(field.length) : `: ${message}`;
  return { field: at, message: `${at}${said}` };
}
