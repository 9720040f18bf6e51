// The `rules` parameter of routers and notification rules: the text of a document, or the document
// as JSON.
import * as z from "zod";
import { describeFault } from "../../../domain/routing/conditions/located.ts";
import type { RuleResult } from "../../../domain/routing/rules/rule-list.ts";

/** Converts a document sent as JSON to text, so that errors have lines and columns. */
const toText = (value: unknown) =>
  typeof value === "object" && value !== null ? JSON.stringify(value, null, 2) : (value ?? "");

/** The parsed document with its text; every error has its line and column. */
export const rulesParameter = <Rules>(read: (text: string) => RuleResult<Rules>) =>
  z.preprocess(
    toText,
    z.string("must be a YAML or JSON document").transform((text, context) => {
      const result = read(text);
      if (result.ok) return { text, rules: result.rules };
      for (const fault of result.faults) {
        context.addIssue({ code: "custom", message: describeFault(fault) });
      }
      return z.NEVER;
    }),
  );
