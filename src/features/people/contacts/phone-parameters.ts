// The parameters that confirm a telephone number (contract 6, Phones).
import * as z from "zod";

export const ConfirmPhone = z
  .object({
    // Pads codes sent as numbers, which lose their leading zeros.
    code: z
      .preprocess(
        (value) => (Number.isInteger(value) ? String(value).padStart(6, "0") : value),
        z.string({
          error: (issue) => (issue.input == null ? "can't be blank" : "must be a string"),
        }),
      )
      .transform((text) => text.replace(/[\s-]/g, ""))
      .refine((text) => /^\d{6}$/.test(text), "must be six digits")
      .meta({
        pattern: "^\\d{6}$",
        description: "The code that was sent to the number.",
        example: "042137",
      }),
  })
  .meta({ inExample: ["code"] });
export type ConfirmPhone = z.output<typeof ConfirmPhone>;
