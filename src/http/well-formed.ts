// What of a body is right although the whole of it is not: so that rules across parameters, and references to records,
// are checked with it, and a caller is told of all faults at once.
import * as z from "zod";
import type { Reference } from "../db/references.ts";
import type { FieldError } from "../domain/refusal.ts";

/** What else is at fault with a body, beside its parameters' own forms. */
export type FurtherChecks = {
  readonly faults?: readonly FieldError[];
  /** Records that it names, which have to exist. */
  readonly references?: readonly Reference[];
};

/** The parameters of a body that are well-formed, checked; those that are missing or at fault are left out. */
export function wellFormedPart(schema: z.ZodType, sent: unknown): Record<string, unknown> {
  if (schema instanceof z.ZodPipe) {
    const { in: before, out: after } = schema.def;
    if (!(before instanceof z.ZodTransform)) return wellFormedPart(before as z.ZodType, sent);
    return wellFormedPart(after as z.ZodType, before.safeParse(sent).data);
  }
  if (!(schema instanceof z.ZodObject)) return {};
  const given = (sent ?? {}) as Readonly<Record<string, unknown>>;
  const parameters = Object.entries(schema.shape as Readonly<Record<string, z.ZodType>>);
  return Object.fromEntries(
    parameters.flatMap(([name, parameter]) => {
      const read = parameter.safeParse(Object.hasOwn(given, name) ? given[name] : undefined);
      return read.success && read.data !== undefined ? [[name, read.data] as const] : [];
    }),
  );
}
