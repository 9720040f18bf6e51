// The parser of rules for the builder, in a script of its own.
export { applyChange, readBuilder } from "../../domain/routing/builder/rules-text.ts";
