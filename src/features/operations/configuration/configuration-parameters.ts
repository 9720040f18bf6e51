// The parameters of an import of a configuration file.
import * as z from "zod";

/** A document sent as JSON is YAML too. */
const toText = (value: unknown) =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : value;

export const ImportConfiguration = z.object({
  configuration: z
    .preprocess(
      toText,
      z
        .string({ error: (issue) => (issue.input == null ? "can't be blank" : "must be YAML") })
        .refine((text) => text.trim() !== "", "can't be blank"),
    )
    .meta({
      description:
        "The file that `GET /configuration` returns, or a part of it: YAML as text, or the document as JSON.",
      example: "tocsin: 1\nschedules:\n  - key: payments\n    name: Payments\n",
    }),
});
export type ImportConfiguration = z.output<typeof ImportConfiguration>;
