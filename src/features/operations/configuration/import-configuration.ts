import { isRefusal, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { retryOnConflict } from "../../../kernel/db/optimistic-retry.ts";
import { forgetKeys } from "../../access/api-keys/key-actors.ts";
import { commitComposed } from "../../change/compose.ts";
import { comparePaged } from "./compare-paged.ts";
import { composePlan } from "./compose-plan.ts";
import { parseConfiguration } from "./configuration-file.ts";
import type { ImportConfiguration } from "./configuration-parameters.ts";
import type { ConfigurationImport } from "./contract.ts";
import { type ImportPlan, type PlannedChange, planImport } from "./plan-import.ts";
import { readConfiguration } from "./read-configuration.ts";
import type { AdminContext } from "./section.ts";
import { SECTIONS } from "./sections.ts";

/**
 * Applies a configuration file to the account in one transaction, or shows what it would change
 * (contract 2, Configuration).
 *
 * @param preview true: nothing is written
 * @returns what was changed, or would be; 422 with the places of all faults in the file, or if it
 *   changes more than one transaction can; 409 when the account changes at the same time
 */
export function importConfiguration(
  context: AdminContext,
  { configuration }: ImportConfiguration,
  preview: boolean,
): Promise<ConfigurationImport | Refusal> {
  const parsed = parseConfiguration(configuration, SECTIONS);
  if (!parsed.ok) return Promise.resolve(refuseFields(parsed.errors));
  return retryOnConflict(async () => {
    const stored = await readConfiguration(context);
    const plan = planImport(parsed.sections, stored, context.now);
    if (plan.errors.length > 0) return refuseFields(plan.errors.slice(0, 100));
    const composed = await composePlan(context, plan.changes);
    if (isRefusal(composed)) return composed;
    const onCall = await comparePaged(context, plan.changes, composed, stored);
    if (!preview && composed.length > 0) {
      await commitComposed(context, composed);
      // Roles may have changed.
      forgetKeys(({ accountId }) => accountId === context.actor.accountId);
    }
    return { applied: !preview, ...show(plan), on_call: onCall };
  });
}

const show = ({ changes, unchanged }: ImportPlan) => ({
  unchanged_count: unchanged,
  changes: changes.map(showChange),
});

const showChange = ({ section, place, key, id, entry, stored, fields }: PlannedChange) => ({
  path: place,
  kind: section.kind,
  key,
  record_id: id,
  action: stored === null ? ("create" as const) : ("update" as const),
  fields: fields.map(({ field, before, after }) => ({ field, before, after })),
  note: (stored === null && section.noteOf?.(entry)) || null,
});
