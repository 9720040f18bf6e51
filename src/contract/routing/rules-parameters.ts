// The `rules` parameter of routers and notification rules: a document's text, or the document itself.
import * as z from "zod";
import { describeFault } from "../../domain/routing/conditions/located.ts";
import type { RuleResult } from "../../domain/routing/rules/rule-list.ts";

/** A document that was sent as JSON is kept as text, so that lines and columns mean something. */
const asText = (value: unknown) =>
  typeof value === "object" && value !== null ? JSON.stringify(value, null, 2) : (value ?? "");

/** The text of a document with what it says; every fault with its line and column. */
export const rulesParameter = <Rules>(read: (text: string) => RuleResult<Rules>) =>
  z.preprocess(
    asText,
    z.string("must be a YAML or JSON document").transform((text, context) => {
      const result = read(text);
      if (result.ok) return { text, rules: result.rules };
      for (const fault of result.faults) {
        context.addIssue({ code: "custom", message: describeFault(fault) });
      }
      return z.NEVER;
    }),
  );
