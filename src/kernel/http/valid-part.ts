// Extracts the valid parameters of an invalid body, so that rules across parameters and references
// are checked too and all errors are reported at once.
import * as z from "zod";
import type { FieldError } from "../../domain/shared/refusal.ts";
import type { Reference } from "../db/references.ts";

/** Errors in a body beyond the form of its parameters. */
export type FurtherChecks = {
  readonly faults?: readonly FieldError[];
  /** Records that the body refers to, which must exist. */
  readonly references?: readonly Reference[];
};

/** Returns the valid parameters of a body, parsed; missing and invalid ones are left out. */
export function parseValidPart(schema: z.ZodType, sent: unknown): Record<string, unknown> {
  if (schema instanceof z.ZodPipe) {
    const { in: before, out: after } = schema.def;
    if (!(before instanceof z.ZodTransform)) return parseValidPart(before as z.ZodType, sent);
    return parseValidPart(after as z.ZodType, before.safeParse(sent).data);
  }
  if (!(schema instanceof z.ZodObject)) return {};
  const body = (sent ?? {}) as Readonly<Record<string, unknown>>;
  const parameters = Object.entries(schema.shape as Readonly<Record<string, z.ZodType>>);
  return Object.fromEntries(
    parameters.flatMap(([name, parameter]) => {
      const read = parameter.safeParse(Object.hasOwn(body, name) ? body[name] : undefined);
      return read.success && read.data !== undefined ? [[name, read.data] as const] : [];
    }),
  );
}
