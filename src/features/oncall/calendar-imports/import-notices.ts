// The notices of an import that has failed for a day: one per recipient, with an id derived from
// when it began to fail.
import { EMPTY_RULE_VIEW, type PageMessage } from "../../../domain/notifications/page.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import type { ImportAudience } from "./import-audience.ts";

type FailingImport = {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** Epoch ms. */
  readonly failingSince: number;
};

/** @param error the last failure, a sentence without a subject */
export function failureNotices(
  { id, accountId, name, failingSince }: FailingImport,
  { scheduleName, recipients }: ImportAudience,
  error: string,
): PageMessage[] {
  const subject = `Calendar import "${name}" fails`;
  const text = [
    `The calendar import "${name}" of the schedule "${scheduleName}" has failed since ${formatInstant(failingSince)}.`,
    `Last error: ${error}.`,
    "The shifts that were imported before stay as they are.",
  ];
  return recipients.map((accountUserId) => ({
    accountId,
    page: {
      effectId: `${id}:${failingSince}:${accountUserId}`,
      event: "oncall.import_failed",
      accountUserId,
      workflowId: null,
      layer: null,
      pass: null,
      at: failingSince,
      until: null,
      detail: null,
    },
    alert: null,
    notice: {
      schedule: prefixIdOf("calendar_import", id),
      subject,
      text: `${text.join("\n\n")}\n`,
    },
    stage: 0,
    view: EMPTY_RULE_VIEW,
  }));
}
