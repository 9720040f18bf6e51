// What a body is refused for, each fault with the name of its field.
import type * as z from "zod";
import type { FieldError } from "../../domain/shared/refusal.ts";

/** `["emails_attributes", 0, "email"]` → `emails_attributes[0].email`. */
function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === "number") return `${name}[${part}]`;
    return name === "" ? String(part) : `${name}.${String(part)}`;
  }, "");
}

/** Every parameter at fault, each message starting with its field. */
export function fieldErrors(error: z.ZodError): FieldError[] {
  return error.issues.slice(0, 100).map((issue) => {
    const field = fieldName(issue.path);
    return field === ""
      ? { message: issue.message }
      : { message: `${field} ${issue.message}`, field };
  });
}
