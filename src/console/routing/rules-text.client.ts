// The parser of rules for the builder, in a script of its own.
import { applyChange, readBuilder } from "../../domain/routing/builder/rules-text.ts";

export type RulesText = {
  readonly applyChange: typeof applyChange;
  readonly readBuilder: typeof readBuilder;
};

export { applyChange, readBuilder };
