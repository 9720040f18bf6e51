// An integration type in words: its options, named as its form names them, and what it accepts.
import type { IntegrationType } from "../../features/integrations/integrations/contract.ts";
import { labelOf } from "../../kernel/console/labels.ts";

/** The label of an option's field: `auto_resolve_after` is "Auto resolve after". */
export const optionTitle = (key: string): string => labelOf(`option_${key}`);

/** A text of the type's in which "option webhook_url" is "option “Webhook url”". */
export const withOptionTitles = (text: string, { options }: Pick<IntegrationType, "options">) =>
  text.replace(/\boption ([a-z]+(?:_[a-z]+)*)\b/g, (found, key: string) =>
    options.some((it) => it.key === key) ? `option “${optionTitle(key)}”` : found,
  );

/** Whether a type accepts events; one that does not sends messages. */
export const acceptsEvents = ({ supports }: Pick<IntegrationType, "supports">): boolean =>
  supports.create || supports.acknowledge || supports.resolve;
