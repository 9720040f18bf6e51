import { type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import type { FurtherSettings } from "../../../products/messenger.ts";

/** Why nothing can be sent on a messenger to the person. */
export const refusalOfSettings = ({
  kind,
  reason,
}: Exclude<FurtherSettings, { kind: "settings" }>): Refusal =>
  refuse(kind === "permanent" ? "conflict" : "unavailable", reason);
