// What somebody should look at in an absence, in words.
import type { OnCallPreview } from "../../../features/oncall/on-call/contract.ts";
import { Notice } from "../../../kernel/console/panel.tsx";

const WARNINGS: Readonly<Record<string, string>> = {
  nobody_yet: "Nobody has said who takes the shifts. The person stays on call.",
  substitute_absent: "Who takes it is away too in this time.",
  substitute_left: "Who was to take it has left the account. The person stays on call.",
  nobody_found: "Nobody was found for some shifts. The person stays on call in them.",
  no_shifts: "The person has no shifts in this time. It holds for shifts that are added later.",
};

export const AbsenceWarnings = ({ warnings }: Pick<OnCallPreview, "warnings">) => (
  <>
    {(warnings ?? []).map(({ reason, message }) => (
      <Notice tone="warn">{WARNINGS[reason] ?? message}</Notice>
    ))}
  </>
);
