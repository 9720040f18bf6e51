// The two fields of a new password.
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../../domain/access/password.ts";
import type { Refusal } from "../../domain/shared/refusal.ts";
import { TextField } from "../../kernel/console/form.tsx";

export const NewPasswordFields = ({ refusal }: { readonly refusal: Refusal | null }) => (
  <>
    <TextField
      name="password"
      label="New password"
      type="password"
      autocomplete="new-password"
      minlength={MIN_PASSWORD_LENGTH}
      maxlength={MAX_PASSWORD_LENGTH}
      help={`At least ${MIN_PASSWORD_LENGTH} characters. Several unrelated words work well.`}
      refusal={refusal}
      required
    />
    <TextField
      name="again"
      label="Repeat password"
      type="password"
      autocomplete="new-password"
      refusal={refusal}
      required
    />
  </>
);
