// The two fields of a new password.
import { LEAST_PASSWORD, MOST_PASSWORD } from "../../../domain/access/password.ts";
import type { Refusal } from "../../../domain/shared/refusal.ts";
import { TextField } from "../shared/form.tsx";

export const NewPasswordFields = ({ refusal }: { readonly refusal: Refusal | null }) => (
  <>
    <TextField
      name="password"
      label="New password"
      type="password"
      autocomplete="new-password"
      minlength={LEAST_PASSWORD}
      maxlength={MOST_PASSWORD}
      help={`At least ${LEAST_PASSWORD} characters. Several unrelated words work well.`}
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
